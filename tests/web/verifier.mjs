// A verifier of Kahuna and Kula Kula records, written from docs/verifying.md alone: it knows nothing of the library.
// It follows the cards, not the rules: `node verifier.mjs record.json ...` prints a verdict for each as a line of JSON.
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";

const ISLANDS = ["ALOA", "BARI", "COCO", "DUDA", "ELAI", "FAAA", "GOLA", "HUNA", "IFFI", "JOJO", "KAHU", "LALE"];
const WORD = 1n << 64n;

function ascii(text) {
  return JSON.stringify(text).replace(/[\u007f-\uffff]/g, (unit) => "\\u" + unit.charCodeAt(0).toString(16).padStart(4, "0"));
}

export function* words(seed, seeds, draw) {
  for (let block = 0; ; block++) {
    const message = `${ascii(seeds)} draw ${draw} block ${block}`;
    const digest = createHmac("sha256", seed).update(message, "ascii").digest();
    for (let at = 0; at < 32; at += 8) yield digest.readBigUInt64BE(at);
  }
}

export function below(row, n) {
  const limit = WORD - (WORD % BigInt(n));
  for (const word of row) if (word < limit) return Number(word % BigInt(n));
}

function drawn(weights, row) {
  let k = below(row, weights.reduce((a, b) => a + b, 0));
  return weights.findIndex((weight) => (k -= weight) < 0);
}

/** Kahuna's cards: what chance may deal now, and what an action moves. */
class Kahuna {
  constructor() {
    this.deck = ISLANDS.map(() => 2);
    this.away = ISLANDS.map(() => 0);
    this.row = 0;
    this.left = 9;
    this.hand = false;
    this.round = 1;
  }
  chances() {
    return { outcomes: ISLANDS.map((card) => ({ do: "deal", card })), weights: this.deck };
  }
  isChance(action) {
    return action.do === "deal";
  }
  play(action) {
    if (action.do === "deal") {
      this.deck[ISLANDS.indexOf(action.card)]--;
      if (this.left > 0) this.row += this.left-- <= 3 ? 1 : 0;
      else if (!this.hand) this.row++;
      if (this.left === 0) this.renew();
      this.hand = false;
    } else if (action.do === "draw") {
      this.hand = action.from === "deck";
      if (!this.hand) {
        this.row--;
        this.renew();
      }
    }
    for (const card of action.do === "deal" ? [] : (action.cards ?? (action.card ? [action.card] : []))) {
      this.away[ISLANDS.indexOf(card)]++;
    }
  }
  renew() {
    if (this.row > 0 || this.deck.some((n) => n > 0) || this.round === 3) return;
    this.round++;
    [this.deck, this.away, this.left] = [this.away, ISLANDS.map(() => 0), 3];
  }
}

/** Kula Kula's oracle on the printed board. */
class KulaKula {
  constructor() {
    this.deck = [18, 12, 12];
    this.gone = [0, 0, 0];
    this.mine = [0, 0, 0];
    this.spins = false;
  }
  chances() {
    if (this.spins) {
      const numbers = Array.from({ length: 12 }, (_, k) => k + 1);
      return { outcomes: numbers.map((number) => ({ do: "dolphin", number })), weights: numbers.map(() => 1) };
    }
    if (this.deck.every((n) => n === 0)) [this.deck, this.gone] = [this.gone, [0, 0, 0]];
    return { outcomes: ["boat", "fish", "idol"].map((card) => ({ do: "card", card })), weights: this.deck };
  }
  isChance(action) {
    return action.do === "dolphin" || action.do === "card";
  }
  play(action) {
    if (action.do === "oracle") this.spins = true;
    else if (action.do === "dolphin") this.spins = false;
    else if (action.do === "card") {
      const kind = ["boat", "fish", "idol"].indexOf(action.card);
      this.deck[kind]--;
      this.mine[kind]++;
      if (kind === 2) this.putAway();
    } else if (action.do === "sail" || action.do === "go") this.putAway();
  }
  putAway() {
    this.gone = this.gone.map((n, kind) => n + this.mine[kind]);
    this.mine = [0, 0, 0];
  }
}

const sha256 = (data) => createHash("sha256").update(data).digest("hex");

export function code(commit, seals) {
  return seals ? sha256([commit, ...seals].join(" ")) : commit;
}

/** What is wrong with the shares of scheme 2, or nothing. */
export function unsealed({ scheme = 1, seals, seeds }, seats) {
  if (scheme === 1) return seals === undefined ? null : "seals";
  if (scheme !== 2) return "scheme";
  if (!Array.isArray(seals) || seals.length !== seats || seeds.length !== seats) return "seals";
  const digits = /^[0-9a-f]{64}$/;
  for (const [seat, seal] of seals.entries()) {
    const share = seeds[seat];
    const fits =
      seal === "server" || seal === "absent"
        ? share === ""
        : digits.test(seal) && digits.test(share) && sha256(Buffer.from(share, "hex")) === seal;
    if (!fits) return `share ${seat}`;
  }
  return null;
}

const same = (a, b) => Object.keys({ ...a, ...b }).every((key) => a[key] === b[key]);

export function verify(record) {
  const { seed, salt, seeds, commit, draws = [], branch, dice } = record.fair;
  const refused = (reason) => ({ fair: false, reason });
  const promised = createHash("sha256").update(Buffer.from(salt + seed, "hex")).digest("hex");
  if (promised !== commit) return refused("commit");
  const wrong = unsealed(record.fair, record.players.length);
  if (wrong) return refused(wrong);
  if (dice !== undefined) return refused("dice");
  if (branch !== undefined && !(branch?.moves >= 1 && typeof branch.table === "string")) return refused("branch");
  const game = record.game === "kahuna" ? new Kahuna() : new KulaKula();
  const found = [];
  const skipped = [];
  let [last, at] = [0, 0];
  for (const [n, action] of record.actions.entries()) {
    if (game.isChance(action)) {
      const { outcomes, weights } = game.chances();
      const number = draws[at++];
      if (number === undefined) found.push("missing");
      else if (number === -1 && last === 0) {
        if (n + 1 > (branch?.moves ?? 0)) return refused(`action ${n + 1}`);
        found.push("taken over");
      } else {
        if (!(number > last)) return refused("order");
        for (let passed = last + 1; passed < number; passed++) skipped.push(passed);
        last = number;
        const due = outcomes[drawn(weights, words(Buffer.from(seed, "hex"), seeds, number))];
        if (!same(due, action)) return refused(`action ${n + 1}`);
        found.push("checked");
      }
    }
    game.play(action);
  }
  if (draws.length > at) return refused("draws");
  return { fair: skipped.length === 0 && found.every((one) => one === "checked"), draws: found, skipped };
}

for (const path of process.argv.slice(2)) {
  const given = JSON.parse(readFileSync(path, "utf8"));
  if (given.words) {
    const { start } = given;
    const seed = Buffer.from(given.seed, "hex");
    const row = words(seed, given.seeds, given.draw);
    const some = given.words.map(() => row.next().value.toString(16).padStart(16, "0"));
    console.log(JSON.stringify({ words: some, below: given.below.map(([n]) => [n, below(words(seed, given.seeds, given.draw), n)]), code: code(start.commit, start.seals), wrong: unsealed({ scheme: 2, ...start }, 2) }));
  } else console.log(JSON.stringify(verify(given)));
}

// Made from docs/protocol.json by scripts/protocol.ts. Do not edit.

export interface Protocol {
  client:
    | Hello
    | Look
    | AskRecording
    | Ping
    | Sit
    | Rise
    | SeatBot
    | Act
    | Undo
    | AskBack
    | Answer
    | Resign
    | Rematch
    | Chat
    | AskHint
    | AskAnalysis
    | Admit
    | Unseat
    | Remove
    | Mute
    | Close
    | Seal
    | Open;
  server:
    Welcome | Yours | Update | Ack | Refused | Trouble | Presence | Audience | Said | Hint | Recording | Pong | Goodbye;
  Arrive?: Arrive;
  Arriving?: Arriving;
  ChannelTarget?: ChannelTarget;
  ConfirmChannel?: ConfirmChannel;
  Created?: Created;
  Devices?: Devices;
  EndSession?: EndSession;
  Figures?: Figures;
  Games?: Games;
  History?: History;
  Link?: Link;
  LinkTarget?: LinkTarget;
  Links?: Links;
  NewBranch?: NewBranch;
  NewChannel?: NewChannel;
  NewLink?: NewLink;
  NewSession?: NewSession;
  NewTable?: NewTable;
  NoticeChannel?: NoticeChannel;
  NoticeWishes?: NoticeWishes;
  Notices?: Notices;
  OperatorReport?: OperatorReport;
  OperatorTarget?: OperatorTarget;
  Password?: Password;
  Phrase?: Phrase;
  Picture?: Picture;
  Problem?: Problem;
  Recover?: Recover;
  Replay?: Replay;
  Revoke?: Revoke;
  RulesPage?: RulesPage;
  Running?: Running;
  Session?: Session;
  StopNotices?: StopNotices;
  Tables?: Tables;
  TokenBody?: TokenBody;
  Verdict?: Verdict;
}
/**
 * The first message: the client's key, what it saw last, and the link by which it comes.
 */
export interface Hello {
  /**
   * Drawn once by each tab.
   */
  client: string;
  eye?: number | null;
  hash?: string | null;
  heard?: number | null;
  link?: string | null;
  pace?: "human" | "instant" | "quick";
  since?: number | null;
  type: "hello";
}
/**
 * On a shared screen: show the view of one of your seats; null hides all hands.
 */
export interface Look {
  seat: number | null;
  type: "look";
}
/**
 * Ask for the recording of the outcome in the entry of that version; answered by `thrown`.
 */
export interface AskRecording {
  type: "ask-throw";
  v: number;
}
/**
 * Answered by `pong` with the same number.
 */
export interface Ping {
  sent: number;
  type: "ping";
}
/**
 * Take an open seat, or your own again from the bot that kept it.
 *
 *     A seat that somebody else left in a running game needs the players' consent, given by `admit`.
 */
export interface Sit {
  link?: string | null;
  /**
   * Rises with every command of this client.
   */
  n: number;
  name?: string | null;
  /**
   * SHA-256 of a seat's share, which is opened later; empty: none.
   */
  seal?: string;
  seat: number;
  /**
   * A seat's share in the draws: any text, at best random.
   */
  seed?: string;
  type: "sit";
}
/**
 * Leave one of your seats: before the game it is open again, later the others may give it to a bot.
 */
export interface Rise {
  /**
   * Rises with every command of this client.
   */
  n: number;
  seat: number;
  type: "rise";
}
/**
 * Give a seat to a bot: the host an open one of any level, players one that was left or whose player is away.
 *
 *     In a running game the bot is a stand-in of a fixed level, whatever level is named, until the owner comes back.
 */
export interface SeatBot {
  /**
   * A bot's level, from `/api/games`.
   */
  level: string;
  /**
   * Rises with every command of this client.
   */
  n: number;
  seat: number;
  type: "bot";
}
/**
 * Play an action, as JSON or as notation. The mover's seat must be yours.
 *
 *     `at` is the version of the position that the player saw; in another position the command is refused. Where a game's
 *     chance outcomes are computed, an action may have extra data that the game reads. Where they are entered by a player,
 *     that is an `act` too.
 */
export interface Act {
  action: {} | string;
  aim?: Aim | null;
  at: number;
  /**
   * Rises with every command of this client.
   */
  n: number;
  type: "act";
}
/**
 * How a set is thrown: a point on the table in cm from its middle, degrees (0 to the right, 90 away), cm/s, cm.
 */
export interface Aim {
  direction: number;
  spread?: number;
  strength?: number;
  x: number;
  y: number;
}
/**
 * Undo your last action, if it revealed nothing and nobody has acted since.
 */
export interface Undo {
  /**
   * Rises with every command of this client.
   */
  n: number;
  type: "undo";
}
/**
 * Request a takeback: ask the others to go back to before your last action.
 */
export interface AskBack {
  /**
   * Rises with every command of this client.
   */
  n: number;
  type: "ask-back";
}
/**
 * Accept or decline a takeback.
 */
export interface Answer {
  agree: boolean;
  /**
   * Rises with every command of this client.
   */
  n: number;
  type: "answer";
}
/**
 * Resign: with two sides the other wins, with more a bot plays on.
 */
export interface Resign {
  /**
   * Rises with every command of this client.
   */
  n: number;
  seat: number;
  type: "resign";
}
/**
 * Accept another game with rotated seats, or withdraw that.
 */
export interface Rematch {
  agree?: boolean;
  /**
   * Rises with every command of this client.
   */
  n: number;
  /**
   * @maxItems 16
   *
   * Items: SHA-256 of a seat's share, which is opened later; empty: none.
   */
  seals?: string[];
  /**
   * A seat's share in the draws: any text, at best random.
   */
  seed?: string;
  type: "rematch";
}
/**
 * Send a chat message to everyone at the table.
 */
export interface Chat {
  /**
   * Rises with every command of this client.
   */
  n: number;
  text: string;
  type: "chat";
}
/**
 * Ask what a strong bot would play in your place; answered by `hint`.
 */
export interface AskHint {
  /**
   * Rises with every command of this client.
   */
  n: number;
  type: "ask-hint";
}
/**
 * After the game: a strong bot's evaluation of the position after this number of actions, from its mover's view.
 */
export interface AskAnalysis {
  game?: number | null;
  moves: number;
  /**
   * Rises with every command of this client.
   */
  n: number;
  type: "ask-analysis";
}
/**
 * Accept or decline a request for a seat that was left.
 */
export interface Admit {
  agree: boolean;
  /**
   * Rises with every command of this client.
   */
  n: number;
  type: "admit";
}
/**
 * The host frees a seat before the game. The person who sat there needs a new link to sit down again.
 */
export interface Unseat {
  /**
   * Rises with every command of this client.
   */
  n: number;
  seat: number;
  type: "unseat";
}
/**
 * The host removes a spectator, who needs a new link to come back; "" removes everyone without a name.
 */
export interface Remove {
  /**
   * Rises with every command of this client.
   */
  n: number;
  /**
   * A spectator, as `audience` names them to the host.
   */
  spectator: string;
  type: "remove";
}
/**
 * The host mutes or unmutes a spectator.
 */
export interface Mute {
  muted?: boolean;
  /**
   * Rises with every command of this client.
   */
  n: number;
  /**
   * A spectator, as `audience` names them to the host.
   */
  spectator: string;
  type: "mute";
}
/**
 * The host closes the table: no more games are played here.
 */
export interface Close {
  /**
   * Rises with every command of this client.
   */
  n: number;
  type: "close";
}
/**
 * Send another hash for one of one's seats: from another device, after a void start, or if the share was lost.
 *
 *     While shares are being opened it makes that start void.
 */
export interface Seal {
  /**
   * Rises with every command of this client.
   */
  n: number;
  /**
   * A seat's share in the draws: 32 random bytes.
   */
  seal: string;
  seat: number;
  type: "seal";
}
/**
 * Open the share of one of one's seats, once the hashes are frozen. The seat is that of the game to come.
 */
export interface Open {
  /**
   * Rises with every command of this client.
   */
  n: number;
  seat: number;
  /**
   * A seat's share in the draws: 32 random bytes.
   */
  share: string;
  type: "open";
}
/**
 * The answer to `hello`.
 */
export interface Welcome {
  commit: string;
  /**
   * Since 1970, by the table's clock.
   */
  now: number;
  protocol: number;
  table: About;
  type: "welcome";
}
/**
 * The properties of a table that never change.
 */
export interface About {
  clock: NoClock | LiveClock | DaysClock;
  dice?: ("odds" | "pad" | "physics") | null;
  game: string;
  hints: boolean;
  id: string;
  options: {};
  seats: number;
  secret?: boolean;
  series: number;
  visibility: "link" | "public";
}
/**
 * No clock.
 */
export interface NoClock {
  kind: "none";
}
/**
 * A time for the whole game, and an increment for every move.
 */
export interface LiveClock {
  /**
   * In milliseconds.
   */
  increment?: number;
  /**
   * In milliseconds.
   */
  initial: number;
  kind: "live";
}
/**
 * A number of days for every move.
 */
export interface DaysClock {
  days: number;
  kind: "days";
}
/**
 * Your seats, and whether you are the host. Sent after `welcome`, and when it changes.
 */
export interface Yours {
  host: boolean;
  seats: number[];
  type: "yours";
}
/**
 * What is new since a version, and the table as it is now.
 *
 *     `whole`: discard what you have; the entries are those of the running game. Unchanged parts are left out.
 */
export interface Update {
  chairs?: Chair[];
  commit?: string;
  entries: (
    | Sat
    | Rose
    | BotSat
    | Started
    | Acted
    | Happened
    | WentBack
    | AskedBack
    | Answered
    | Ended
    | Agreed
    | Spoke
    | Resumed
    | AskedSeat
    | AnsweredSeat
    | Removed
    | Muted
    | Closed
    | Sealed
    | Frozen
    | Opened
    | Voided
  )[];
  position?: Position;
  since: number;
  type: "update";
  version: number;
  whole?: boolean;
}
/**
 * The person or bot at a seat.
 */
export interface Chair {
  kind: "bot" | "open" | "person";
  left?: boolean;
  level?: string;
  name?: string;
}
/**
 * Somebody took a seat.
 */
export interface Sat {
  /**
   * Since 1970, by the table's clock.
   */
  at: number;
  kind: "sat";
  name: string;
  seat: number;
  /**
   * The table's version after this.
   */
  v: number;
}
/**
 * Somebody left a seat.
 */
export interface Rose {
  /**
   * Since 1970, by the table's clock.
   */
  at: number;
  kind: "rose";
  seat: number;
  /**
   * The table's version after this.
   */
  v: number;
}
/**
 * A seat was given to a bot.
 */
export interface BotSat {
  /**
   * Since 1970, by the table's clock.
   */
  at: number;
  kind: "bot";
  level: string;
  seat: number;
  /**
   * The table's version after this.
   */
  v: number;
}
/**
 * A game started: its number at this table, the commitment to its random seed, and the seats' contributions to
 *     it.
 */
export interface Started {
  /**
   * Since 1970, by the table's clock.
   */
  at: number;
  commit: string;
  game: number;
  kind: "started";
  /**
   * For each seat of the game the SHA-256 of its share, `server` (a bot: the server's seed is all), `absent` (its client sent none) or nothing (nobody sits there yet).
   */
  seals?: string[];
  seats: string[];
  seeds: string[];
  /**
   * The table's version after this.
   */
  v: number;
}
/**
 * A seat acted. What is hidden from the viewer is null in the JSON and `?` in the notation.
 */
export interface Acted {
  action: {};
  aim?: Aim | null;
  /**
   * Since 1970, by the table's clock.
   */
  at: number;
  kind: "acted";
  notation: string;
  seat: number;
  /**
   * The table's version after this.
   */
  v: number;
  wrote?: {} | null;
}
/**
 * Chance acted, with the draw of that number; 0: without a draw, because a player entered the outcome.
 */
export interface Happened {
  action: {};
  /**
   * Since 1970, by the table's clock.
   */
  at: number;
  draw: number;
  fall?: Fall | null;
  kind: "happened";
  notation: string;
  /**
   * The table's version after this.
   */
  v: number;
  wrote?: {} | null;
}
/**
 * A landing: the dice in the hand, whether it was a scratch, and how many cocked dice were tapped flat.
 */
export interface Fall {
  cocked?: number;
  /**
   * Items: As in `steam1`, `ash2`, `lava3`.
   */
  hand: string[];
  scratch?: boolean;
  trajectory?: string | null;
}
/**
 * The game went back to this number of actions: by undo, or because all agreed.
 */
export interface WentBack {
  agreed: boolean;
  /**
   * Since 1970, by the table's clock.
   */
  at: number;
  kind: "back";
  moves: number;
  seat: number;
  /**
   * The table's version after this.
   */
  v: number;
}
/**
 * A seat requests a takeback to this number of actions.
 */
export interface AskedBack {
  /**
   * Since 1970, by the table's clock.
   */
  at: number;
  kind: "asked-back";
  moves: number;
  seat: number;
  /**
   * The table's version after this.
   */
  v: number;
}
/**
 * A seat answered the request for a takeback; declining ends it.
 */
export interface Answered {
  agree: boolean;
  /**
   * Since 1970, by the table's clock.
   */
  at: number;
  kind: "answered";
  seat: number;
  /**
   * The table's version after this.
   */
  v: number;
}
/**
 * The game is over, and the seed of its draws is published.
 */
export interface Ended {
  /**
   * Since 1970, by the table's clock.
   */
  at: number;
  by: "resigned" | "rules" | "time";
  kind: "ended";
  points?: number[];
  salt: string;
  scores: number[];
  seat?: number | null;
  seed: string;
  /**
   * The table's version after this.
   */
  v: number;
  winner: number | number[] | null;
}
/**
 * A seat wants a rematch, or no longer does.
 */
export interface Agreed {
  agree: boolean;
  /**
   * Since 1970, by the table's clock.
   */
  at: number;
  kind: "agreed";
  seat: number;
  /**
   * The table's version after this.
   */
  v: number;
}
/**
 * A chat message; no seat: a spectator. Only in old logs: new messages come by `said`.
 */
export interface Spoke {
  /**
   * Since 1970, by the table's clock.
   */
  at: number;
  kind: "spoke";
  name: string;
  seat?: number | null;
  text: string;
  /**
   * The table's version after this.
   */
  v: number;
}
/**
 * The table was out of memory for a while; the clock did not run meanwhile.
 */
export interface Resumed {
  /**
   * Since 1970, by the table's clock.
   */
  at: number;
  kind: "resumed";
  /**
   * The table's version after this.
   */
  v: number;
}
/**
 * Somebody asks the players for a seat that was left.
 */
export interface AskedSeat {
  /**
   * Since 1970, by the table's clock.
   */
  at: number;
  kind: "asked-seat";
  name: string;
  seat: number;
  /**
   * The table's version after this.
   */
  v: number;
}
/**
 * A player answered a request for a seat; declining ends it, and when all accept a `sat` follows.
 */
export interface AnsweredSeat {
  agree: boolean;
  /**
   * Since 1970, by the table's clock.
   */
  at: number;
  kind: "answered-seat";
  seat: number;
  /**
   * The table's version after this.
   */
  v: number;
}
/**
 * The host removed somebody from a seat, or, without a seat, from the table.
 */
export interface Removed {
  /**
   * Since 1970, by the table's clock.
   */
  at: number;
  kind: "removed";
  name: string;
  seat?: number | null;
  /**
   * The table's version after this.
   */
  v: number;
}
/**
 * The host muted or unmuted a spectator.
 */
export interface Muted {
  /**
   * Since 1970, by the table's clock.
   */
  at: number;
  kind: "muted";
  muted: boolean;
  name: string;
  /**
   * The table's version after this.
   */
  v: number;
}
/**
 * The table was closed: no more games are played here.
 */
export interface Closed {
  /**
   * Since 1970, by the table's clock.
   */
  at: number;
  kind: "closed";
  /**
   * The table's version after this.
   */
  v: number;
}
/**
 * A seat sent another hash of its share.
 */
export interface Sealed {
  /**
   * Since 1970, by the table's clock.
   */
  at: number;
  kind: "sealed";
  seal: string;
  seat: number;
  /**
   * The table's version after this.
   */
  v: number;
}
/**
 * Everybody is ready for that game: commit and hashes are settled, and the shares are to be opened.
 */
export interface Frozen {
  /**
   * Since 1970, by the table's clock.
   */
  at: number;
  commit: string;
  game: number;
  kind: "frozen";
  /**
   * For each seat of the game the SHA-256 of its share, `server` (a bot: the server's seed is all), `absent` (its client sent none) or nothing (nobody sits there yet).
   */
  seals: string[];
  /**
   * The table's version after this.
   */
  v: number;
}
/**
 * A seat of the game to come opened its share.
 */
export interface Opened {
  /**
   * Since 1970, by the table's clock.
   */
  at: number;
  kind: "opened";
  seat: number;
  share: string;
  /**
   * The table's version after this.
   */
  v: number;
}
/**
 * The start of that game is void because of these of its seats.
 *
 *     `late`: they did not open their shares in time; `left`: they went; `lost`: they no longer had the share; `removed`:
 *     the host removed them.
 */
export interface Voided {
  /**
   * Since 1970, by the table's clock.
   */
  at: number;
  by: "late" | "left" | "lost" | "removed";
  game: number;
  kind: "void";
  seats: number[];
  /**
   * The table's version after this.
   */
  v: number;
}
/**
 * The game as one viewer sees it: everything needed to draw it.
 */
export interface Position {
  candidate?: Candidate | null;
  closed?: boolean;
  dice?: Dice | null;
  game: number;
  hash: string;
  legal: Legal[];
  moves: number;
  opening?: Opening | null;
  over?: Over | null;
  request?: Request | null;
  /**
   * The seat whose view is shown; null: a spectator's.
   */
  seat: number | null;
  time?: Time | null;
  undo?: boolean;
  view: {};
}
/**
 * A request for a seat that was left; `waiting` have not answered yet.
 */
export interface Candidate {
  name: string;
  seat: number;
  waiting: number[];
}
/**
 * Krakatoa's dice at a table where they are simulated, or rolled at home.
 */
export interface Dice {
  /**
   * Items: As in `steam1`, `ash2`, `lava3`.
   */
  hand?: string[];
  land?: boolean;
  last?: number;
  lies?: {
    [k: string]: Lie;
  };
  thrower?: number | null;
}
/**
 * The position of a die: its centre in cm; the face on top; its rotation, in radians and as `q`.
 */
export interface Lie {
  face: number;
  /**
   * @minItems 4
   * @maxItems 4
   */
  q: never[];
  turn: number;
  x: number;
  y: number;
}
/**
 * A legal action.
 */
export interface Legal {
  action: {};
  notation: string;
}
/**
 * What the draws of the game to come will be made from, and how far its start has got.
 */
export interface Opening {
  awaited?: number[];
  commit: string;
  frozen?: boolean;
  game: number;
  opened?: number[];
  /**
   * For each seat of the game the SHA-256 of its share, `server` (a bot: the server's seed is all), `absent` (its client sent none) or nothing (nobody sits there yet).
   */
  seals: string[];
  void?: Void | null;
}
/**
 * A start that came to nothing, because of these seats of the game that was to begin.
 */
export interface Void {
  by: "late" | "left" | "lost" | "removed";
  seats: number[];
}
/**
 * How the game ended, and who wants a rematch.
 */
export interface Over {
  again?: number[];
  by: "resigned" | "rules" | "time";
  seat?: number | null;
  winner: number | number[] | null;
}
/**
 * A request for a takeback to this number of actions; `waiting` have not answered yet.
 */
export interface Request {
  moves: number;
  seat: number;
  waiting: number[];
}
/**
 * The clock at the time `at`: what each seat has left, and whose time is running.
 */
export interface Time {
  /**
   * Since 1970, by the table's clock.
   */
  at: number;
  /**
   * Items: In milliseconds.
   */
  left: number[];
  running: number | null;
}
/**
 * The command is stored for good, as the log entry of that version.
 */
export interface Ack {
  n: number;
  type: "ack";
  version: number;
}
/**
 * The command was refused, and nothing has changed.
 */
export interface Refused {
  gaps?: {
    [k: string]: string | string[];
  };
  n: number;
  reason: string;
  /**
   * What stands behind it: `kahuna.hand-limit`, `table.not-your-turn`.
   */
  rule: string;
  type: "refused";
  /**
   * The sentence with its gaps, if it has any: what to look up in another language.
   */
  words?: string;
}
/**
 * A message that could not be understood, or that exceeded the rate limit.
 */
export interface Trouble {
  gaps?: {
    [k: string]: string | string[];
  };
  reason: string;
  /**
   * What stands behind it: `kahuna.hand-limit`, `table.not-your-turn`.
   */
  rule: string;
  type: "trouble";
  /**
   * The sentence with its gaps, if it has any: what to look up in another language.
   */
  words?: string;
}
/**
 * Which seats are connected now, and the number of spectators.
 */
export interface Presence {
  here: boolean[];
  type: "presence";
  watchers: number;
}
/**
 * Sent to the host alone, when it changes: the spectators, and the number of those without a name.
 */
export interface Audience {
  spectators: Spectator[];
  type: "audience";
  unnamed?: number;
}
/**
 * A spectator with a name; `id` is for `mute` and `remove`.
 */
export interface Spectator {
  /**
   * A spectator, as `audience` names them to the host.
   */
  id: string;
  muted?: boolean;
  name: string;
}
/**
 * Chat messages: the last ones after `hello`, and each new one. A number may come twice.
 */
export interface Said {
  remarks: Remark[];
  type: "said";
}
/**
 * A chat message; no seat: a spectator. Numbers increase, with gaps.
 */
export interface Remark {
  /**
   * Since 1970, by the table's clock.
   */
  at: number;
  name: string;
  number: number;
  seat?: number | null;
  text: string;
}
/**
 * A bot's evaluation: the actions from best to worst, and its principal variation.
 *
 *     `played` is the action that was played in a position of a finished game: it is always among the actions.
 */
export interface Hint {
  line: string[];
  moves: number;
  n: number;
  played?: string;
  ranking: Opinion[];
  seat: number;
  type: "hint";
}
/**
 * A bot's evaluation of one action: its share of the search, and its value from -1 to 1.
 */
export interface Opinion {
  action: {};
  notation: string;
  share: number;
  value: number;
}
/**
 * The answer to `ask-throw`.
 */
export interface Recording {
  /**
   * The bytes of a recording, which the game reads, in base64.
   */
  trajectory: string;
  type: "thrown";
  v: number;
}
/**
 * The answer to `ping`.
 */
export interface Pong {
  /**
   * Since 1970, by the table's clock.
   */
  now: number;
  sent: number;
  type: "pong";
}
/**
 * The server closes the connection; reconnect after this time. `rule` says why.
 */
export interface Goodbye {
  /**
   * In milliseconds.
   */
  after: number;
  /**
   * What stands behind it: `kahuna.hand-limit`, `table.not-your-turn`.
   */
  rule: string;
  type: "goodbye";
}
/**
 * `POST /api/session/arrive`: become the person who made the link; `replace`: even if you lose your own seats.
 */
export interface Arrive {
  replace?: boolean;
  /**
   * The secret part of a link.
   */
  token: string;
}
/**
 * `POST /api/session/arriving`: who a link would make you, who you are now, and how many tables you would leave.
 */
export interface Arriving {
  name: string;
  now: string;
  tables?: number;
}
/**
 * `POST /api/notices/remove` and `/api/notices/test`: one of your channels.
 */
export interface ChannelTarget {
  id: string;
}
/**
 * `POST /api/notices/confirm`: the code that came to a mail address.
 */
export interface ConfirmChannel {
  code: string;
  id: string;
}
/**
 * A new table.
 */
export interface Created {
  id: string;
}
/**
 * `GET /api/session/devices`: your devices, the last used first.
 */
export interface Devices {
  devices: Device[];
}
/**
 * A device on which you have a session; `here`: this one. Its last use is given to the day.
 */
export interface Device {
  /**
   * Since 1970, by the table's clock.
   */
  created: number;
  device: string;
  here?: boolean;
  id: string;
  /**
   * Since 1970, by the table's clock.
   */
  used: number;
}
/**
 * `POST /api/session/end`: end your session on a device (default: on all but this one).
 */
export interface EndSession {
  device?: string | null;
}
/**
 * `GET /api/history/figures`: how one did against whom, and how strong that makes one.
 */
export interface Figures {
  against: Against[];
  names: string[];
  ratings: Rated[];
}
/**
 * How one did against one opponent at one game.
 */
export interface Against {
  game: string;
  id: string;
  kind: "bot" | "here" | "person";
  /**
   * Since 1970, by the table's clock.
   */
  latest: number;
  lost: number;
  name: string;
  opponent: string;
  tied: number;
  won: number;
}
/**
 * A rating against a game's levels in Elo points above the weakest, with its 95% interval.
 *
 *     Only games against bots alone count, from the start and without hints. `next` is the level nearest to it.
 */
export interface Rated {
  elo: number;
  game: string;
  games: number;
  high: number;
  levels: {
    [k: string]: number;
  };
  low: number;
  name: string;
  next: string;
}
/**
 * `GET /api/games`.
 */
export interface Games {
  games: GameInfo[];
  preparing?: Preparing[];
  version: string;
}
/**
 * One game: its options, its numbers of players, and the bots' levels from weakest to strongest.
 */
export interface GameInfo {
  /**
   * Items: How chance acts, of the modes that the game has.
   */
  dice?: ("odds" | "pad" | "physics")[];
  levels: string[];
  name: string;
  options: OptionInfo[];
  seats: number[];
  title: string;
}
/**
 * One option of a game; `values` are its permitted values, or some worth offering.
 */
export interface OptionInfo {
  about: string;
  default: unknown;
  name: string;
  values: unknown[];
  wanted: string;
}
/**
 * A game whose bots are still being compiled: `done` of `total` steps. 0 of 0: not started yet.
 */
export interface Preparing {
  done: number;
  game: string;
  total: number;
}
/**
 * `GET /api/history`: finished games, the latest first; `next` asks for more as `before`.
 *
 *     `total` counts all games that are asked for. `reading`: games from before there was a history are still being read.
 */
export interface History {
  games: Finished[];
  next?: string;
  reading?: boolean;
  total: number;
}
/**
 * A finished game in one's history.
 */
export interface Finished {
  /**
   * Since 1970, by the table's clock.
   */
  at: number;
  game: string;
  how: "resigned" | "rules" | "time";
  moves: number;
  name: string;
  number: number;
  opponents: Opponent[];
  result: "lost" | "tied" | "won";
  score: number;
  seat: number;
  table: string;
}
/**
 * Whom one played against: a bot by its level, a person by name; `id` is for asking for games with them.
 */
export interface Opponent {
  id: string;
  kind: "bot" | "here" | "person";
  name: string;
  score: number;
  seat: number;
}
/**
 * A new link: its secret, and the URL to send.
 */
export interface Link {
  id?: string;
  kind: "seat" | "session" | "shoulder" | "watch";
  near?: string;
  seat?: number | null;
  token: string;
  url: string;
}
/**
 * `POST /api/links`: where a link leads.
 */
export interface LinkTarget {
  kind: "seat" | "shoulder" | "watch";
  seat?: number | null;
  table: string;
}
/**
 * `GET /api/tables/{id}/links`: the links that you may revoke.
 */
export interface Links {
  links: KnownLink[];
}
/**
 * A valid link; `id` is for revoking it, the secret is its maker's alone.
 */
export interface KnownLink {
  id: string;
  kind: "seat" | "shoulder" | "watch";
  /**
   * Since 1970, by the table's clock.
   */
  made: number;
  mine: boolean;
  seat?: number | null;
}
/**
 * `POST /api/tables/{id}/branch`: play from a position of a finished game, against bots.
 *
 *     The hidden cards stay as they were; later chance outcomes are new.
 */
export interface NewBranch {
  game?: number | null;
  /**
   * A bot's level, from `/api/games`.
   */
  level: string;
  moves: number;
  /**
   * SHA-256 of a seat's share, which is opened later; empty: none.
   */
  seal?: string;
  seat: number;
  /**
   * A seat's share in the draws: any text, at best random.
   */
  seed?: string;
}
/**
 * `POST /api/notices/channels`: notify me there, too; for push, `p256dh` and `auth` are the subscription's keys.
 */
export interface NewChannel {
  address: string;
  auth?: string;
  kind: "apprise" | "mail" | "push" | "webhook";
  p256dh?: string;
  wishes?: NoticeWishes | null;
}
/**
 * How you want to be notified; times of day are minutes in your zone (an IANA name).
 *
 *     `quiet_from`, `quiet_until`: between them nothing is delivered. `digest`: one notice a day at that time, instead of
 *     one for each game. `reminders`: before your time runs out. `away_until`: no notices until then (milliseconds since
 *     1970).
 */
export interface NoticeWishes {
  away_until?: number | null;
  digest?: number | null;
  language?: "en" | "fr";
  quiet_from?: number | null;
  quiet_until?: number | null;
  reminders?: boolean;
  zone?: string;
}
/**
 * `POST /api/tables/{id}/links`: a link that lets others in.
 *
 *     `seat`: to take that open seat; `watch`: to watch; `shoulder`: to watch the hand of your own seat.
 */
export interface NewLink {
  kind: "seat" | "shoulder" | "watch";
  seat?: number | null;
}
/**
 * `POST /api/session`: your name.
 */
export interface NewSession {
  name: string;
}
/**
 * `POST /api/tables`: a new table.
 */
export interface NewTable {
  chairs: NewChair[];
  clock?: NoClock | LiveClock | DaysClock;
  dice?: ("odds" | "pad" | "physics") | null;
  game: string;
  hints?: boolean;
  options?: {};
  /**
   * A seat's share in the draws: any text, at best random.
   */
  seed?: string;
  series?: number;
  visibility?: "link" | "public";
}
/**
 * The player at a seat of a new table: you, another person at the same screen, anyone with a link, or a bot.
 */
export interface NewChair {
  kind: "bot" | "here" | "me" | "open";
  level?: string | null;
  name?: string | null;
  /**
   * SHA-256 of a seat's share, which is opened later; empty: none.
   */
  seal?: string;
}
/**
 * A place where you are notified. `failing`: since when nothing could be delivered.
 */
export interface NoticeChannel {
  confirmed: boolean;
  created: number;
  failing?: number | null;
  here?: boolean;
  id: string;
  kind: "apprise" | "mail" | "push" | "webhook";
  label: string;
}
/**
 * `GET /api/notices`: your wishes and channels; `kinds` are those that this server can deliver to.
 *
 *     `push_key`: the key with which browsers subscribe.
 */
export interface Notices {
  channels: NoticeChannel[];
  kinds: ("apprise" | "mail" | "push" | "webhook")[];
  push_key?: string;
  wishes: NoticeWishes;
}
/**
 * `GET /api/operator`: people, tables, load and errors of one worker.
 */
export interface OperatorReport {
  in_memory: number;
  load: number;
  memory: number;
  people: Visitor[];
  sockets: number;
  /**
   * Since 1970, by the table's clock.
   */
  started: number;
  tables: OperatorTable[];
  troubles: Incident[];
  unnamed: number;
  version: string;
  waiting: number;
  workers: number;
}
/**
 * A connected person with a name, and their tables; `id` is for `POST /api/operator/end`.
 */
export interface Visitor {
  id: string;
  name: string;
  tables: string[];
}
/**
 * One table as the operator sees it: its players while it is in memory, never their hands.
 */
export interface OperatorTable {
  chairs: Chair[];
  game: string;
  id: string;
  sockets: number;
  status: string;
  /**
   * Since 1970, by the table's clock.
   */
  updated: number;
  visibility: string;
}
/**
 * An error on the server.
 */
export interface Incident {
  /**
   * Since 1970, by the table's clock.
   */
  at: number;
  what: string;
}
/**
 * `POST /api/operator/end` and `/api/operator/close`: whose session to end, or which table to close.
 */
export interface OperatorTarget {
  id: string;
}
/**
 * `POST /api/password`: the password of a private server.
 */
export interface Password {
  password: string;
}
/**
 * `POST /api/session/phrase`: a recovery phrase, shown once. It works once; the one before it no longer does.
 */
export interface Phrase {
  phrase: string;
}
/**
 * `POST /api/picture`: a view, drawn by the server for pages that have no board of the game.
 */
export interface Picture {
  svg: string;
  text: string;
}
/**
 * The body of every HTTP error: one sentence, with its template and values.
 */
export interface Problem {
  gaps?: {
    [k: string]: string | string[];
  };
  reason: string;
  /**
   * What stands behind it: `kahuna.hand-limit`, `table.not-your-turn`.
   */
  rule: string;
  /**
   * The sentence with its gaps, if it has any: what to look up in another language.
   */
  words?: string;
}
/**
 * `POST /api/session/recover`: become the person with this phrase; `replace`: even if you lose your own seats.
 */
export interface Recover {
  phrase: string;
  replace?: boolean;
}
/**
 * `GET /api/tables/{id}/replay`: some steps of a finished game, from a number of actions on.
 *
 *     `eye` is the seat, null for a spectator, or `referee`, who sees everything. `scores` and `movers` are those of every
 *     step of the game.
 */
export interface Replay {
  chairs: Chair[];
  eye: number | "referee" | null;
  game: number;
  movers: number[];
  moves: number;
  over: Over;
  scores: number[][];
  since: number;
  steps: Step[];
}
/**
 * A position of a finished game, and what led to it.
 */
export interface Step {
  deed?: Deed | null;
  mover: number;
  view: {};
}
/**
 * What led to a step; no seat: chance. What was hidden from the viewer is null in the JSON and `?` in the
 *     notation.
 */
export interface Deed {
  action: {};
  notation: string;
  seat: number | null;
  wrote?: {} | null;
}
/**
 * `POST /api/links/revoke`: the link to revoke, by its secret or by its id.
 */
export interface Revoke {
  id?: string | null;
  token?: string | null;
}
/**
 * `GET /api/rules?game=…&language=…`: the rules of a game in English (en) or French (fr), as Markdown.
 */
export interface RulesPage {
  text: string;
}
/**
 * `GET /api/tables/running`: one's tables that are not over; those that wait for oneself first, then by time.
 */
export interface Running {
  tables: Summary[];
}
/**
 * One table in a list.
 */
export interface Summary {
  chairs: Chair[];
  clock: NoClock | LiveClock | DaysClock;
  deadline?: number | null;
  dice?: ("odds" | "pad" | "physics") | null;
  game: string;
  id: string;
  options: {};
  /**
   * Since 1970, by the table's clock.
   */
  since?: number;
  status: "closed" | "over" | "playing" | "waiting";
  turn?: number[];
  /**
   * Since 1970, by the table's clock.
   */
  updated: number;
  visibility: "link" | "public";
  your_turn?: boolean;
  yours?: number[];
}
/**
 * `GET /api/session`: who you are here; the name is empty before you have given one.
 */
export interface Session {
  name: string;
}
/**
 * `POST /api/notices/stop`: the token of a notice's link; its channel gets no more of them.
 */
export interface StopNotices {
  token: string;
}
/**
 * `GET /api/tables`: your own tables, and public ones that wait for players or are being played.
 */
export interface Tables {
  public: Summary[];
  yours: Summary[];
}
/**
 * The secret of a link.
 */
export interface TokenBody {
  /**
   * The secret part of a link.
   */
  token: string;
}
/**
 * `POST /api/verify`: whether a record's draws were fair, and if not, why.
 */
export interface Verdict {
  fair: boolean;
  gaps?: {
    [k: string]: string | string[];
  };
  reason: string;
  shares?: string[];
  voids?: number[][];
  /**
   * The sentence with its gaps, if it has any: what to look up in another language.
   */
  words?: string;
}

export const PROTOCOL = 2;
export type ClientMessage = Protocol["client"];
export type ServerMessage = Protocol["server"];

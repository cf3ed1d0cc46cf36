// boardgame.io's server with the tic-tac-toe of its tutorial. The game has no end, so that it can be played on and on.
// node server.cjs PORT [WHERE]: games are kept in PostgreSQL if that is a URL, in files of that folder, or else in memory only.
const { Server, Origins, FlatFile } = require("boardgame.io/server");
const { PostgresStore } = require("bgio-postgres");

const TicTacToe = {
  name: "tic-tac-toe",
  setup: () => ({ cells: Array(9).fill(null) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    clickCell: ({ G, playerID }, id) => {
      G.cells[id] = playerID;
    },
  },
};

function kept(where) {
  if (!where) return {};
  if (where.startsWith("postgresql:")) return { db: new PostgresStore(where, { logging: false, pool: { max: 20 } }) };
  return { db: new FlatFile({ dir: where }) };
}

const [port, where] = process.argv.slice(2);
const server = Server({ games: [TicTacToe], origins: [Origins.LOCALHOST], ...kept(where) });
server.run(Number(port)).then(() => console.log("ready"));

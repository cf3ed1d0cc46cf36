// boardgame.io's server with the tic-tac-toe of its tutorial. The game has no end, so that it can be played on and on.
// node server.cjs PORT [FOLDER]: games are kept in files of that folder, or else in memory only.
const { Server, Origins, FlatFile } = require("boardgame.io/server");

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

const [port, folder] = process.argv.slice(2);
const db = folder ? { db: new FlatFile({ dir: folder }) } : {};
const server = Server({ games: [TicTacToe], origins: [Origins.LOCALHOST], ...db });
server.run(Number(port)).then(() => console.log("ready"));

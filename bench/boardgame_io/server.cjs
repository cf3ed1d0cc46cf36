// boardgame.io's server with the tic-tac-toe of its tutorial. The game has no end, so that it can be played on and on.
const { Server, Origins } = require("boardgame.io/server");

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

const server = Server({ games: [TicTacToe], origins: [Origins.LOCALHOST] });
server.run(Number(process.argv[2])).then(() => console.log("ready"));

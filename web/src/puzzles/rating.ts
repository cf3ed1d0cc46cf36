// A rating for solving puzzles, by Glicko: each first attempt is a game against the puzzle.

export interface Rating {
  rating: number;
  /** The standard deviation: how unsure the rating is. */
  deviation: number;
}

export const UNKNOWN: Rating = { rating: 1200, deviation: 350 };
/** The ratings of puzzles come from how deep they are, not from people's results: so they are unsure too. */
const PUZZLES = 150;
/** People change: nobody is ever surer than this. */
const SUREST = 60;
const Q = Math.LN10 / 400;

/** How much an opponent's unsure rating counts. */
const weight = (deviation: number) => 1 / Math.sqrt(1 + (3 * (Q * deviation) ** 2) / Math.PI ** 2);

/** The probability of solving a puzzle of that rating. */
export function expected({ rating }: Rating, puzzle: number, unsure = PUZZLES): number {
  return 1 / (1 + 10 ** ((-weight(unsure) * (rating - puzzle)) / 400));
}

/** The rating after an attempt. */
export function rated(before: Rating, puzzle: number, solved: boolean, unsure = PUZZLES): Rating {
  const [g, e] = [weight(unsure), expected(before, puzzle, unsure)];
  const information = 1 / before.deviation ** 2 + (Q * g) ** 2 * e * (1 - e);
  return {
    rating: before.rating + (Q / information) * g * (Number(solved) - e),
    deviation: Math.max(SUREST, Math.sqrt(1 / information)),
  };
}

/** Half of the interval that holds the true rating with a probability of 95%. */
export function margin({ deviation }: Rating): number {
  return Math.round(1.96 * deviation);
}

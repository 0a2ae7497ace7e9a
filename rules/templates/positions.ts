import { Token } from 'liquidjs'

// Where a token stands. liquidjs counts the lines from the beginning for each token, and asks for each variable: a template of
// thousands of them would take seconds to check.

let known: { input: string; starts: number[] } = { input: '', starts: [0] }

/** Where the lines of a text begin. */
function startsOf(input: string): number[] {
  if (known.input !== input) {
    const starts = [0]
    for (let at = input.indexOf('\n'); at >= 0; at = input.indexOf('\n', at + 1))
      starts.push(at + 1)
    known = { input, starts }
  }
  return known.starts
}

/** Has tokens know their line and column, both from 1, at once. */
export function countLinesOnce(): void {
  Token.prototype.getPosition = function (this: Token) {
    const starts = startsOf(this.input)
    let [line, after] = [0, starts.length]
    while (after - line > 1) {
      const middle = (line + after) >> 1
      if ((starts[middle] as number) <= this.begin) line = middle
      else after = middle
    }
    return [line + 1, this.begin - (starts[line] as number) + 1]
  }
}

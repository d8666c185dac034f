// Picks out of a test runner's output why tests failed, to be said once more where a long log ends.

const MAX_LINES = 40;
const MAX_REASONS = 8;

/** Takes output in pieces, as it comes from each stream; `said()` answers the first reasons, each from its error to its place. */
export function collectReasons() {
  const reasons = [];
  const streams = new Map();
  const keep = (lines) => {
    const last = lines.findLastIndex(isPlace);
    if (last !== -1 && reasons.length < MAX_REASONS) reasons.push(lines.slice(0, last + 1).join("\n"));
  };
  const takeLine = (stream, line) => {
    if (isError(line) || isResult(line)) {
      keep(stream.lines);
      stream.lines = [];
    }
    const inside = isError(line) || stream.lines.length > 0;
    if (inside && (stream.lines.length < MAX_LINES || isPlace(line))) stream.lines.push(line);
  };
  return {
    take(text, from) {
      const stream = streams.get(from) ?? { rest: "", lines: [] };
      streams.set(from, stream);
      const lines = (stream.rest + text).split("\n");
      stream.rest = lines.pop() ?? "";
      for (const line of lines) takeLine(stream, line);
    },
    said() {
      for (const { lines } of streams.values()) keep(lines);
      return reasons;
    },
  };
}

const isError = (line) => /^\w*error: /i.test(line);
const isPlace = (line) => /^\s+at .*:\d+/.test(line);
const isResult = (line) => /^\((pass|fail|skip|todo)\) /.test(line);

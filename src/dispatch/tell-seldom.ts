/** Tells a fault at most once a minute for each kind: a database that is away fails every statement. */

const SELDOM_MS = 60_000;

/** Two faults are of one kind if their messages differ only in numbers and ids. */
function kindOf(message: string): string {
  return message.replace(/ \(Queue: .*\)$/, "").replace(/[0-9a-f]{8}-[0-9a-f-]{27}|\d+/g, "#");
}

/** The package hands on copies of errors, which are plain objects. */
function asError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown;
  const { message, stack } = { ...(thrown as Partial<Error> | null) };
  const error = new Error(message ?? String(thrown));
  if (stack !== undefined) error.stack = stack;
  return error;
}

export function tellSeldom(
  tell: (error: unknown) => void,
  now: () => number = () => performance.now(),
): (thrown: unknown) => void {
  const told = new Map<string, number>();
  return (thrown) => {
    const error = asError(thrown);
    const kind = kindOf(error.message);
    const before = told.get(kind);
    if (before !== undefined && now() - before < SELDOM_MS) return;
    told.set(kind, now());
    tell(error);
  };
}

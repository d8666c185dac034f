/** Carries a forge's error through a library that can only throw, and turns it into a value at the end. */
import { err, ok } from "neverthrow";
import type { Answer, ForgeError } from "../forge.ts";

export class ForgeFailure extends Error {
  readonly error: ForgeError;
  /** What the forge said, without our sentence around it. */
  readonly words: string;
  /** Whether the forge may have done what was asked, although no good answer came. */
  readonly isOpen: boolean;

  constructor(error: ForgeError, options: { readonly words?: string; readonly isOpen?: boolean } = {}) {
    super(error.message);
    this.error = error;
    this.words = options.words ?? "";
    this.isOpen = options.isOpen ?? false;
  }
}

/** The forge did not answer as a forge does. */
export function unavailable(
  message: string,
  { status = null, transient = true }: { readonly status?: number | null; readonly transient?: boolean } = {},
): ForgeError {
  return { code: "forge_unavailable", message, status, resumeAt: null, transient };
}

/** What `act` returns; a failure of the forge as a value. Everything else is a surprise, and thrown on. */
export async function answerOf<T>(act: () => Promise<T>): Answer<T> {
  try {
    return ok(await act());
  } catch (thrown) {
    const failure = failureIn(thrown);
    if (failure === null) throw thrown;
    return err(failure.error);
  }
}

/** The failure that a library wrapped in an error of its own; null if it is something else. */
export function failureIn(thrown: unknown): ForgeFailure | null {
  if (thrown instanceof ForgeFailure) return thrown;
  return thrown instanceof Error && thrown.cause !== undefined ? failureIn(thrown.cause) : null;
}

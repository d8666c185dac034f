/** Holds that the output of a terminal is bounded, arrives whole, and makes its writer wait. */
import { describe, expect, test } from "bun:test";
import { createOutputWindow } from "../../src/services/terminals/output-window.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (piece: { readonly bytes: Uint8Array }) => new TextDecoder().decode(piece.bytes);
const small = () => createOutputWindow({ behind: 4, ahead: 10, piece: 6 });
const never = new AbortController().signal;

describe("the output of a terminal", () => {
  test("is read in pieces, and once more from where a connection broke", () => {
    const output = small();
    output.add(bytes("abc"));
    output.add(bytes("defgh"));
    expect(output.take(0)).toMatchObject({ end: 6 });
    expect(text(output.take(0))).toBe("abcdef");
    expect(text(output.take(6))).toBe("gh");
    expect(output.take(8).bytes).toHaveLength(0);
    expect(text(output.take(5))).toBe("fgh");
    // What lies further back is gone; reading goes on at the oldest byte that is there.
    expect(text(output.take(0))).toBe("defgh");
    expect(output.take(99)).toMatchObject({ end: 8 });
  });

  test("makes its writer wait until it is read", async () => {
    const output = small();
    expect(output.add(bytes("123456789"))).toBeUndefined();
    const room = output.add(bytes("0"));
    let isThere = false;
    void room?.then(() => {
      isThere = true;
    });
    output.take(0);
    await Promise.resolve();
    expect(isThere).toBe(false);
    output.take(6);
    await room;
    expect(isThere).toBe(true);
  });

  test("tells a waiting reader of news, of the end of its patience, and of its own end", async () => {
    const output = small();
    const waiting = output.change(60_000, never);
    output.add(bytes("a"));
    await waiting;
    // What came before the waiting counts too.
    await output.change(60_000, never);
    output.take(0);
    await output.change(1, never);
    const gone = new AbortController();
    const left = output.change(60_000, gone.signal);
    gone.abort();
    await left;
  });

  test("is dropped when the terminal ends, and nobody waits any more", async () => {
    const output = small();
    const room = output.add(bytes("1234567890"));
    output.discard();
    await room;
    expect(output.add(bytes("more"))).toBeUndefined();
    expect(output.take(0).bytes).toHaveLength(0);
  });
});

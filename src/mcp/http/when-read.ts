/** Watches an HTTP answer until it was read to its end, or its reader went away. */

/** The same answer; `done` is called once. */
export function whenRead(response: Response, done: () => void): Response {
  if (response.body === null) {
    done();
    return response;
  }
  const reader = response.body.getReader();
  // A reader that goes away also ends its pending read.
  let isRead = false;
  const end = () => {
    if (!isRead) done();
    isRead = true;
  };
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done: isOver, value } = await reader.read();
        if (!isOver) return controller.enqueue(value);
        // Before the stream is closed: after that, the connection ignores it.
        end();
        controller.close();
      },
      async cancel(reason) {
        end();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  const { status, headers } = response;
  return new Response(body, { status, headers });
}

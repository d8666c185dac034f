import { expect, test } from "bun:test";
import { tellProgress } from "../../src/mcp/server/tell-progress.ts";

test("a tool that goes on telling after its call is over is not heard any more", async () => {
  const told: unknown[] = [];
  const notify = async (notification: unknown) => void told.push(notification);
  const { onProgress, end } = tellProgress({ _meta: { progressToken: 0 }, notify }, "made_up");
  onProgress?.({ progress: 3, message: "three" });
  onProgress?.({ progress: 1, message: "one more" });
  end();
  onProgress?.({ progress: 5, message: "too late" });
  const said = (progress: number, message: string) => ({
    method: "notifications/progress",
    params: { progressToken: 0, progress, message },
  });
  expect(told).toEqual([said(3, "three"), said(4, "one more")]);
});

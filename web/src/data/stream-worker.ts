/** Holds one live stream for all tabs, since a browser opens only a few connections to a server. */

import type { StreamMessage } from "./stream-messages.ts";
import { tellFacts } from "./tell-facts.ts";

declare const self: { onconnect: ((event: MessageEvent) => void) | null };

const tabs = new Set<MessagePort>();
let isOpen = false;

const stream = tellFacts((message) => {
  isOpen = message.kind === "open" || message.kind === "reset" || (isOpen && message.kind === "fact");
  for (const tab of tabs) tab.postMessage(message);
});

self.onconnect = ({ ports: [port] }) => {
  if (port === undefined) return;
  tabs.add(port);
  port.onmessage = ({ data }) => {
    if (data === "leave") tabs.delete(port);
    if (data === "again") stream.again();
  };
  const now: StreamMessage = { kind: isOpen ? "open" : "down" };
  port.postMessage(now);
  stream.again();
};

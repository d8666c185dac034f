/** Stops with the cause if the library is loaded by a Node that is too old; imported before everything else. */

const MIN_NODE_VERSION = 22;

const { node } = process.versions;
if (Number.parseInt(node, 10) < MIN_NODE_VERSION)
  throw new Error(`Tazuna needs Node ${MIN_NODE_VERSION} or newer, and this is Node ${node}.`);

export {};

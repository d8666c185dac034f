/** Stops with the cause if the library is loaded by a Node that is too old; imported before everything else. */

const LEAST_NODE = 22;

const { node } = process.versions;
if (Number.parseInt(node, 10) < LEAST_NODE)
  throw new Error(`Tazuna needs Node ${LEAST_NODE} or newer, and this is Node ${node}.`);

export {};

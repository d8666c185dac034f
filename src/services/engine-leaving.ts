/** Marks a step that was let go of because its engine stops; the next engine takes the run up again. */

/** Thrown out of a step: neither a failure nor a wish to stop of a person. */
export class EngineLeaving extends Error {}

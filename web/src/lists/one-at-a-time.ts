/** A step that may be taken again and again; undefined: there is nothing to do. */
export type Step = () => Promise<void> | undefined;

/**
 * Takes a step until there is nothing to do, never two at once. Steps look at what is wanted when they are taken, so
 * what was wanted in between costs nothing. A step must not reject.
 */
export function oneAtATime(step: Step): () => void {
  let isBusy = false;
  const go = async (): Promise<void> => {
    if (isBusy) return;
    isBusy = true;
    for (let taken = step(); taken !== undefined; taken = step()) await taken;
    isBusy = false;
  };
  return () => void go();
}

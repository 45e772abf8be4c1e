/**
 * What a handler returns when the rest of its work must wait for the commit: messages to the outside. The change and its audit
 * row are committed first; `run` then makes the result, and may open the session anew.
 */
export class AfterCommit<Result> {
  constructor(readonly run: () => Promise<Result>) {}
}

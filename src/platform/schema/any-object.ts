/** The output of an operation that answers what another one does. */
export class AnyObject {}

type Work<Session, Gathered> = (session: Session, gathered: Gathered) => Promise<void>;

/** Work for the end of a transaction, which then holds all its other locks. */
export class LastWork<Session> {
  private readonly gathered = new Map<Work<Session, never>, unknown>();

  /**
   * Registers work, once however often it is asked for. @returns what it will be given: what `begin` made,
   * for the caller to add to
   */
  gather<Gathered>(work: Work<Session, Gathered>, begin: () => Gathered): Gathered {
    if (!this.gathered.has(work)) this.gathered.set(work, begin());
    return this.gathered.get(work) as Gathered;
  }

  async finish(session: Session): Promise<void> {
    const works = [...this.gathered];
    this.gathered.clear();
    for (const [work, gathered] of works) await (work as Work<Session, unknown>)(session, gathered);
  }

  clear(): void {
    this.gathered.clear();
  }
}

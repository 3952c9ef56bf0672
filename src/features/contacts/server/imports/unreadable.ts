/** Makes the error of a file that cannot be read to its end; the sentence is for people. */
export const unreadable = (problem: string): Error => Object.assign(new Error(problem), { isUnreadable: true })

/** Whether something thrown says why a file cannot be read. */
export const isUnreadable = (error: unknown): error is Error => error instanceof Error && 'isUnreadable' in error

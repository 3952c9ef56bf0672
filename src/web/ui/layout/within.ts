/** What opens beside a button stays on the screen: on the side with more room, and no higher than that is. */
export const WITHIN = { flip: true, shift: true, size: true } as const

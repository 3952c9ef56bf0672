/** Popover options that keep it on the screen: on the side with more room, and no higher than that. */
export const WITHIN = { flip: true, shift: true, size: true } as const

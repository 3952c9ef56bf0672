import { generateNKeysBetween } from 'fractional-indexing'

/**
 * Maximum length of an order key; longer keys are reassigned, since each move to the same position makes its key a little
 * longer.
 */
export const LONGEST_KEY = 200

/**
 * Returns `count` ascending keys between two others; null is the beginning or the end. Keys compare as texts, character by
 * character.
 */
export const keysBetween = (before: string | null, after: string | null, count: number): string[] =>
  generateNKeysBetween(before, after, count)

/** Card of a column: sorted by its key; without one (no stage), newest id first. */
export type Ordered = { readonly id: number; readonly order: string | null }

/** Whether one card comes before another in a column. */
export const standsBefore = (one: Ordered, other: Ordered): boolean =>
  one.order === null || other.order === null ? one.id > other.id : one.order < other.order

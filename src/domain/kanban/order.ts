import { generateNKeysBetween } from 'fractional-indexing'

/** Keys that have become longer than this are given anew: each move to the same spot makes its key a little longer. */
export const LONGEST_KEY = 200

/** Returns `count` rising keys between two others; null is the beginning or the end. Keys compare as texts, by code unit. */
export const keysBetween = (before: string | null, after: string | null, count: number): string[] =>
  generateNKeysBetween(before, after, count)

/** A card of a column: with a key, sorted by it; without one (no stage), newest id first. */
export type Ordered = { readonly id: number; readonly order: string | null }

/** Whether one card comes before another in a column. */
export const standsBefore = (one: Ordered, other: Ordered): boolean =>
  one.order === null || other.order === null ? one.id > other.id : one.order < other.order

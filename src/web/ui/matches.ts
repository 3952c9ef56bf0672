import { folded } from '../fold.ts'

/** Whether every word of what was typed begins a word of the label, accents aside. */
export function matches(label: string, typed: string): boolean {
  const all = folded(label).split(/[^\p{L}\p{N}]+/u)
  return folded(typed)
    .split(/\s+/)
    .filter(Boolean)
    .every((part) => all.some((word) => word.startsWith(part)))
}

import { folded } from '../fold.ts'

/** Whether every typed word begins a word of the label, ignoring accents. */
export function matches(label: string, typed: string): boolean {
  const all = folded(label).split(/[^\p{L}\p{N}]+/u)
  return folded(typed)
    .split(/\s+/)
    .filter(Boolean)
    .every((part) => all.some((word) => word.startsWith(part)))
}

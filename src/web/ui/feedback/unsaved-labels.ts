import { plural } from '../../t.ts'

/** Formats the number of unsaved fields; empty for none. */
export const unsavedLabels = (changed: number): string =>
  changed > 0 ? plural(changed, 'alteração não salva', 'alterações não salvas') : ''

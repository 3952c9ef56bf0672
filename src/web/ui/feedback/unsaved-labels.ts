import { plural } from '../../t.ts'

/** How many fields are not saved yet, in words; nothing when there are none. */
export const unsavedLabels = (changed: number): string =>
  changed > 0 ? plural(changed, 'alteração não salva', 'alterações não salvas') : ''

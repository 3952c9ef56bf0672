import { t } from '../t.ts'
import { PhoneIcon } from '../ui/icons.ts'
import type { Command } from '../ui/layout/command.ts'
import { calling } from './calling.ts'

/** Returns the command that calls a contact; hidden without a voice device or a number, and for groups. */
export const callCommand = ({ number, isGroup }: { number: string | null; isGroup: boolean }): Command => ({
  id: 'call',
  label: t('Ligar'),
  icon: PhoneIcon,
  when: () => calling.get() !== null && Boolean(number) && !isGroup,
  run: () => calling.get()?.call(`+${number}`),
})

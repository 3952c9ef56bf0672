import { t } from '#web/t.ts'
import { DeleteIcon, EditIcon } from '#web/ui/icons.ts'
import type { Command } from '#web/ui/layout/command.ts'
import type { LabMessage, LabPhone } from '../contract.ts'
import { actOn } from './act.ts'

const palette = ['👍', '❤️', '😂', '🙏']

/** What the person of a phone can do with a message. */
export function commandsOf(phone: LabPhone, message: LabMessage, onEdit: (message: LabMessage) => void): Command[] {
  const own = message.reactions.find(({ fromPhone }) => fromPhone)?.emoji
  const react = (reaction: string) => () => void actOn(phone, message, { act: 'react', reaction })
  return [
    ...palette.map((emoji) => ({
      id: emoji,
      label: t('Reagir com {emoji}', { emoji }),
      when: () => emoji !== own,
      run: react(emoji),
    })),
    { id: 'none', label: t('Tirar a reação'), when: () => own !== undefined, run: react('') },
    {
      ...{ id: 'edit', label: t('Editar'), icon: EditIcon, run: () => onEdit(message) },
      when: () => message.fromPhone && message.mediaType === 'text',
    },
    {
      ...{ id: 'delete', label: t('Apagar…'), icon: DeleteIcon, tone: 'neg' },
      when: () => message.fromPhone,
      run: () => void actOn(phone, message, { act: 'revoke' }),
    },
  ]
}

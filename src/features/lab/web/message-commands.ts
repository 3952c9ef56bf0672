import { capabilitiesOf } from '#providers/channels/configs.ts'
import { notifyError } from '#web/api.ts'
import { t } from '#web/t.ts'
import { DeleteIcon, EditIcon, ForwardIcon, ReplyIcon } from '#web/ui/icons.ts'
import type { Command } from '#web/ui/layout/command.ts'
import type { LabMessage, LabPhone } from '../contract.ts'
import { actOn } from './act.ts'
import type { Content, PhoneState } from './use-phone.ts'

const palette = ['👍', '❤️', '😂', '🙏']

/** Returns the commands of the phone's person on a message. */
export function commandsOf(
  phone: LabPhone,
  message: LabMessage,
  onEdit: (message: LabMessage) => void,
  { send, setAnswering }: Pick<PhoneState, 'send' | 'setAnswering'>,
): Command[] {
  if (capabilitiesOf(phone.type).threads)
    return [{ id: 'answer', label: t('Responder este e-mail'), icon: ReplyIcon, run: () => setAnswering(message) }]
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
      ...{ id: 'forward', label: t('Encaminhar à equipe'), icon: ForwardIcon },
      when: () => !['buttons', 'list', 'interactive_reply', 'poll'].includes(message.mediaType),
      run: () => void forwarded(message).then(send, notifyError),
    },
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

/** Builds the content of a forwarded message: its file, contact card or location as it is. */
async function forwarded({ body, file, mediaType, data }: LabMessage): Promise<Content> {
  const content = { text: body, isForwarded: true }
  if (mediaType === 'contact') return { ...content, contact: data }
  if (mediaType === 'location') return { ...content, location: data }
  if (!file) return content
  const blob = await (await fetch(file.url)).blob()
  const { name, mime, durationMs } = file
  const isVoice = mediaType === 'audio'
  return { ...content, file: new File([blob], name, { type: mime }), isVoice, ...(durationMs ? { durationMs } : {}) }
}

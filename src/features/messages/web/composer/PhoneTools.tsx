import { t } from '#web/t.ts'
import {
  AddIcon,
  AttachIcon,
  CheckIcon,
  EmojiIcon,
  HoursIcon,
  NoteIcon,
  QuickReplyIcon,
  ReplyIcon,
  SendIcon,
  SignatureIcon,
  VoiceIcon,
} from '#web/ui/icons.ts'
import { IconButton } from '#web/ui/inputs/IconButton.tsx'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import type { Command } from '#web/ui/layout/command.ts'
import css from './composer.module.css'
import type { Tools } from './composer-parts.tsx'

const parts = { before: Before, inside: Inside, after: After }

/** Composer tools on a phone: + before the field, quick replies and emoji inside it, one round button after it. */
export function PhoneTools({ at, ...tools }: Tools & { at: keyof typeof parts }) {
  const Part = parts[at]
  return <Part {...tools} />
}

function Before(tools: Tools) {
  const { isNote, canReply, isWhole, canAttach, canSend, extra, signs, mustSign } = tools
  const { onAttach, onNote, onSigns, onSchedule, onSendAndClose } = tools
  const commands: Command[] = [
    { id: 'file', label: t('Foto ou arquivo'), icon: AttachIcon, when: () => canAttach, run: onAttach },
    ...(isWhole ? extra.map((one) => ({ ...one, group: '' })) : []),
    { id: 'schedule', label: t('Agendar envio'), icon: HoursIcon, when: () => isWhole, run: onSchedule },
    {
      id: 'close',
      label: t('Enviar e resolver'),
      icon: CheckIcon,
      when: () => !isNote && canSend,
      run: () => void onSendAndClose(),
    },
    { id: 'note', label: t('Nota interna'), icon: NoteIcon, when: () => !isNote, run: () => onNote(true) },
    { id: 'reply', label: t('Responder'), icon: ReplyIcon, when: () => isNote && canReply, run: () => onNote(false) },
    {
      id: 'sign',
      label: signs ? t('Não assinar') : t('Assinar mensagens'),
      icon: SignatureIcon,
      when: () => !isNote && !mustSign,
      run: () => onSigns(!signs),
    },
  ]
  return (
    <span className={css.phone}>
      <CommandMenu
        commands={commands}
        target={
          <IconButton size={40} aria-label={t('Adicionar')}>
            <AddIcon size={22} />
          </IconButton>
        }
      />
    </span>
  )
}

function Inside({ panel, onQuick, onPanel }: Tools) {
  return (
    <span className={css.phone}>
      <IconButton size={34} aria-label={t('Mensagens rápidas')} onClick={onQuick}>
        <QuickReplyIcon size={20} />
      </IconButton>
      <IconButton
        size={34}
        aria-label={t('Emoji')}
        data-active={panel === 'emoji' || undefined}
        onClick={() => onPanel('emoji')}
      >
        <EmojiIcon size={20} />
      </IconButton>
    </span>
  )
}

function After({ isNote, canAttach, canSend, hasText, onSend, onPanel }: Tools) {
  const records = !hasText && canAttach
  return (
    <span className={css.phone}>
      <button
        type="button"
        className={css.round}
        disabled={!records && !canSend}
        aria-label={records ? t('Gravar áudio') : isNote ? t('Anotar') : t('Enviar')}
        onClick={records ? () => onPanel('voice') : onSend}
      >
        {records ? <VoiceIcon size={21} /> : <SendIcon size={20} />}
      </button>
    </span>
  )
}

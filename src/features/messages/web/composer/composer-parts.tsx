import { Button } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { t } from '#web/t.ts'
import {
  AddIcon,
  AttachIcon,
  CheckIcon,
  ChevronDownIcon,
  EmojiIcon,
  EnterIcon,
  HoursIcon,
  NoteIcon,
  QuickReplyIcon,
  SendIcon,
  SignatureIcon,
  VoiceIcon,
} from '#web/ui/icons.ts'
import { Keys } from '#web/ui/identity/badges.tsx'
import { IconButton } from '#web/ui/inputs/IconButton.tsx'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import type { Command } from '#web/ui/layout/command.ts'
import { Tip } from '../parts/Tip.tsx'
import css from './composer.module.css'

/** State and actions of the composer's rows. */
export type Tools = {
  isNote: boolean
  canReply: boolean
  /** Supports more than text and files, and scheduling: neither a note nor a human agent's message. */
  isWhole: boolean
  canAttach: boolean
  canSend: boolean
  hasText: boolean
  enterSends: boolean
  panel: 'emoji' | 'voice' | null
  signs: boolean
  mustSign: boolean
  name: string
  onNote: (isNote: boolean) => void
  onSigns: (signs: boolean) => void
  onEnterSends: (enterSends: boolean) => void
  onAttach: () => void
  onPanel: (panel: 'emoji' | 'voice') => void
  onQuick: () => void
  onSend: () => void
  onSchedule: () => void
  onSendAndClose: () => Promise<void>
  /** Commands for other message kinds: contact card, location, buttons. */
  extra: readonly Command[]
}

/** Composer row 1: switch between reply and note, and the signature. */
export function ComposerHeader({ isNote, canReply, signs, mustSign, name, onNote, onSigns }: Tools) {
  const first = name.split(' ')[0] ?? name
  const id = useId()
  return (
    <div className={css.header}>
      <div className={css.modes} role="group" aria-label={t('O que escrever')}>
        {canReply && (
          <button type="button" aria-pressed={!isNote} onClick={() => onNote(false)}>
            {t('Responder')}
          </button>
        )}
        <button type="button" aria-pressed={isNote} onClick={() => onNote(true)}>
          {t('Nota interna')}
        </button>
      </div>
      {!isNote && (
        <label
          htmlFor={id}
          className={css.signature}
          title={mustSign ? t('A empresa pede a assinatura em toda mensagem') : undefined}
        >
          <SignatureIcon size={17} />
          <span>{t('Assinar como {name}', { name: first })}</span>
          <input
            id={id}
            type="checkbox"
            className={css.switch}
            checked={signs}
            disabled={mustSign}
            onChange={(event) => onSigns(event.currentTarget.checked)}
          />
        </label>
      )}
    </div>
  )
}

function Tool(props: { label: string; shortcut?: string; active?: boolean; onClick: () => void; children: ReactNode }) {
  const { label, shortcut, active, onClick, children } = props
  return (
    <Tip label={label} shortcut={shortcut} position="above">
      <IconButton aria-label={label} aria-pressed={active} onClick={onClick}>
        {children}
      </IconButton>
    </Tip>
  )
}

/** Composer row 3: attachment tools and the send button. */
export function ComposerTools(tools: Tools) {
  const { isNote, isWhole, canAttach, canSend, enterSends, panel, extra, onAttach, onPanel, onQuick, onSend } = tools
  return (
    <div className={css.tools}>
      {canAttach && (
        <Tool label={t('Anexar arquivo')} onClick={onAttach}>
          <AttachIcon size={19} />
        </Tool>
      )}
      <Tool label={t('Emoji')} active={panel === 'emoji'} onClick={() => onPanel('emoji')}>
        <EmojiIcon size={19} />
      </Tool>
      <Tool label={t('Mensagens rápidas')} shortcut="/" onClick={onQuick}>
        <QuickReplyIcon size={19} />
      </Tool>
      {canAttach && (
        <Tool label={t('Gravar áudio')} onClick={() => onPanel('voice')}>
          <VoiceIcon size={19} />
        </Tool>
      )}
      {isWhole && (
        <CommandMenu
          commands={extra}
          position="top-start"
          target={
            <IconButton aria-label={t('Contato, localização, botões ou macro')}>
              <AddIcon size={19} />
            </IconButton>
          }
        />
      )}
      <span className={css.hint}>
        <Keys of={enterSends ? 'enter' : 'mod+enter'} /> {isNote ? t('salva') : t('envia')}
      </span>
      <span className={css.sends}>
        <Button
          className={css.send ?? ''}
          onClick={onSend}
          disabled={!canSend}
          leftSection={isNote ? <NoteIcon size={17} /> : <SendIcon size={17} />}
        >
          {isNote ? t('Anotar') : t('Enviar')}
        </Button>
        <SendMenu {...tools} />
      </span>
    </div>
  )
}

function SendMenu({ isNote, isWhole, canSend, enterSends, onEnterSends, onSendAndClose, onSchedule }: Tools) {
  const commands: Command[] = [
    {
      id: 'close',
      label: t('Enviar e resolver'),
      icon: CheckIcon,
      shortcut: 'mod+shift+enter',
      when: () => !isNote && canSend,
      run: () => void onSendAndClose(),
    },
    {
      id: 'schedule',
      label: t('Agendar envio'),
      icon: HoursIcon,
      when: () => isWhole,
      run: onSchedule,
    },
    {
      id: 'enter',
      label: t('Enter envia'),
      icon: EnterIcon,
      checked: enterSends,
      run: () => onEnterSends(!enterSends),
    },
  ]
  return (
    <CommandMenu
      commands={commands}
      position="top-end"
      target={
        <Button className={css.split ?? ''} data-idle={!canSend || undefined} aria-label={t('Mais formas de enviar')}>
          <ChevronDownIcon size={16} />
        </Button>
      }
    />
  )
}

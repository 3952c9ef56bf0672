import { Suspense } from 'react'
import { lazyPart } from '#web/lazy-part.ts'
import { t } from '#web/t.ts'
import { CloseIcon } from '#web/ui/icons.ts'
import { IconButton } from '#web/ui/inputs/IconButton.tsx'
import { Quote, type Quoted } from '../parts/quote.tsx'
import { useLayout } from '../registries/layout.ts'
import css from './composer.module.css'
import { ComposerHeader, ComposerTools } from './composer-parts.tsx'
import { publishRecording } from './typing.ts'
import { type ComposerProps, useComposer } from './use-composer.ts'

type Composing = ReturnType<typeof useComposer>

const parts = () => import('./parts.ts')
const PhoneTools = lazyPart(async () => (await import('./PhoneTools.tsx')).PhoneTools)
const Emoji = lazyPart(async () => (await import('./Emoji.tsx')).Emoji)
const DraftChoice = lazyPart(async () => (await parts()).DraftChoice)
const MailFields = lazyPart(async () => (await parts()).MailFields)
const SmsParts = lazyPart(async () => (await parts()).SmsParts)
const SuggestionList = lazyPart(async () => (await parts()).SuggestionList)
const TooLong = lazyPart(async () => (await parts()).TooLong)
const Tray = lazyPart(async () => (await parts()).Tray)
const VariablesNotice = lazyPart(async () => (await parts()).VariablesNotice)
const VoiceNote = lazyPart(async () => (await parts()).VoiceNote)
const WritesTo = lazyPart(async () => (await parts()).WritesTo)

/** Composer of a conversation: replies, notes, quick replies, emoji, files and voice in one box. */
export function Composer(props: ComposerProps) {
  const c = useComposer(props)
  const isPhone = useLayout() === 'phone'
  return (
    <div className={css.outer}>
      <div className={css.box} data-note={c.isNote || undefined}>
        <Suspense>
          {c.choices.asked && <SuggestionList {...c.choices} asked={c.choices.asked} onPick={c.pick} />}
        </Suspense>
        {c.panel === 'emoji' && (
          <Suspense fallback={<div className={css.loading} />}>
            <Emoji onPick={c.insert} />
          </Suspense>
        )}
        <Suspense>{c.files.length > 0 && <ComposerTray c={c} />}</Suspense>
        <Suspense>{c.other && <DraftChoice ticketId={props.ticket.id} other={c.other} />}</Suspense>
        {c.quoted && <QuotedMessage quoted={c.quoted} onRemove={c.removeQuote} />}
        {props.ticket.writesTo.others > 0 && (
          <Suspense>
            <WritesTo ticket={props.ticket} />
          </Suspense>
        )}
        {!isPhone && <ComposerHeader {...c.tools} />}
        <Suspense>{!c.isNote && props.ticket.capabilities.threads && <MailFields ticket={props.ticket} />}</Suspense>
        {c.panel === 'voice' ? (
          <Suspense fallback={<div className={css.middle} />}>
            <VoiceNote
              onSend={c.sendVoice}
              ticket={c.isNote ? null : props.ticket}
              onClose={c.closePanel}
              onRecording={() => publishRecording(props.ticket.id)}
            />
          </Suspense>
        ) : (
          <TextRow isPhone={isPhone} c={c} />
        )}
        <Suspense>
          {c.tooLong && <TooLong {...c} />}
          {!c.isNote && props.ticket.capabilities.smsParts && c.body !== '' && <SmsParts text={c.body} />}
          {!c.isNote && c.body.includes('{{') && <VariablesNotice ticket={props.ticket} text={c.body} />}
        </Suspense>
        {!isPhone && c.panel !== 'voice' && <ComposerTools {...c.tools} />}
        <input
          ref={c.picker}
          type="file"
          multiple
          hidden
          onChange={(event) => {
            c.addFiles([...(event.currentTarget.files ?? [])])
            event.currentTarget.value = ''
          }}
        />
      </div>
    </div>
  )
}

function QuotedMessage({ quoted, onRemove }: { quoted: Quoted; onRemove: () => void }) {
  return (
    <div className={css.quoted}>
      <Quote quoted={quoted} />
      <IconButton onClick={onRemove} aria-label={t('Não responder a esta mensagem')}>
        <CloseIcon size={16} />
      </IconButton>
    </div>
  )
}

function ComposerTray({ c }: { c: Composing }) {
  return (
    <Tray
      files={c.files}
      onCaption={(id, caption) => c.setFiles(c.files.map((file) => (file.id === id ? { ...file, caption } : file)))}
      onWish={c.isNote ? null : c.wantFile}
      onRemove={(id) => c.setFiles(c.files.filter((file) => file.id !== id))}
    />
  )
}

function TextRow({ isPhone, c }: { isPhone: boolean; c: Composing }) {
  return (
    <div className={css.middle}>
      <Suspense>{isPhone && <PhoneTools at="before" {...c.tools} />}</Suspense>
      <div className={css.field}>
        <textarea
          ref={c.area}
          data-text-target
          className={css.text}
          rows={1}
          value={c.body}
          placeholder={c.isNote ? t('Nota só para a equipe. @ menciona') : t('Mensagem')}
          aria-label={c.isNote ? t('Nota interna') : t('Mensagem')}
          aria-invalid={c.tooLong || undefined}
          {...c.choices.field}
          onChange={(event) => c.change(event.currentTarget.value, event.currentTarget.selectionStart)}
          onSelect={(event) => c.setCaret(event.currentTarget.selectionStart)}
          onKeyDown={c.keys}
          onPaste={c.paste}
          onBlur={c.stopTyping}
        />
        <Suspense>{isPhone && <PhoneTools at="inside" {...c.tools} />}</Suspense>
      </div>
      <Suspense>{isPhone && <PhoneTools at="after" {...c.tools} />}</Suspense>
    </div>
  )
}

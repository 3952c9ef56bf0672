import { Suspense } from 'react'
import { lazyPart } from '#web/lazy-part.ts'
import { t } from '#web/t.ts'
import { useLayout } from '../registries/layout.ts'
import css from './composer.module.css'
import { ComposerHeader, ComposerTools } from './composer-parts.tsx'
import { FilePicker } from './FilePicker.tsx'
import { publishRecording } from './typing.ts'
import { type ComposerProps, useComposer } from './use-composer.ts'

type Composing = ReturnType<typeof useComposer>

const parts = () => import('./parts.ts')
const PhoneTools = lazyPart(async () => (await import('./PhoneTools.tsx')).PhoneTools)
const Emoji = lazyPart(async () => (await import('./Emoji.tsx')).Emoji)
const DraftChoice = lazyPart(async () => (await parts()).DraftChoice)
const MailFields = lazyPart(async () => (await parts()).MailFields)
const QuotedMessage = lazyPart(async () => (await parts()).QuotedMessage)
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
        <Suspense>
          {c.files.length > 0 && <Tray files={c.files} onChange={c.setFiles} onWish={c.isNote ? null : c.wantFile} />}
        </Suspense>
        <Suspense>{c.other && <DraftChoice ticketId={props.ticket.id} other={c.other} />}</Suspense>
        <Suspense>{c.quoted && <QuotedMessage quoted={c.quoted} onRemove={c.removeQuote} />}</Suspense>
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
        <FilePicker ref={c.picker} onFiles={c.addFiles} />
      </div>
    </div>
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

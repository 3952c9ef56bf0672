import { Button, Modal, Select, Textarea, TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { type CopilotUse, needsText, REWRITE_STYLES, type RewriteStyle } from '#domain/assistants/copilot.ts'
import { savedDraft } from '#features/messages/web/composer/draft-store.ts'
import { writeDraft } from '#features/messages/web/composer/drafts.ts'
import { sentence } from '#web/api.ts'
import { call } from '#web/client.ts'
import { t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import { Notice } from '#web/ui/inputs/fields.tsx'
import { copilot } from '../addresses.ts'
import css from './copilot.module.css'
import { askCopilot, type Wish } from './copilot-stream.ts'

const uses: Record<CopilotUse, string> = {
  suggest: t('Sugerir uma resposta'),
  rewrite: t('Reescrever o que escrevi'),
  translate: t('Traduzir o que escrevi'),
  read: t('Traduzir o que o cliente escreveu'),
  summarise: t('Resumir a conversa'),
  ask: t('Perguntar sobre este cliente'),
}
const languages = [
  t('português do Brasil'),
  t('inglês'),
  t('espanhol'),
  t('francês'),
  t('italiano'),
  t('alemão'),
  t('chinês'),
  t('japonês'),
]
const toRead = t('português do Brasil')

/** Whether the result of a use is only read, and never inserted into the composer. */
const isReading = (use: CopilotUse): boolean => use === 'summarise' || use === 'read' || use === 'ask'

type Chosen = Required<Omit<Wish, 'text'>>
type Shown = { readonly id: string | null; readonly text: string; readonly own: string }

/** Panel of a conversation's copilot: it writes, the user edits and inserts; it sends nothing. */
export function Copilot({ ticketId, name, onClose }: { ticketId: number; name: string; onClose: () => void }) {
  const [before] = useState(() => savedDraft(ticketId).body)
  const [wish, setWish] = useState<Chosen>({
    use: before.trim() ? 'rewrite' : 'suggest',
    style: 'friendly',
    language: t('inglês'),
  })
  const [question, setQuestion] = useState('')
  const { use } = wish
  const text = use === 'ask' ? question : before
  const isMissing = needsText(use) && text.trim() === ''
  const { shown, setShown, error, isAsking, ask, take, dismiss } = useCopilot({ ticketId, wish, text, onClose })
  const isWhole = shown !== null && shown.id !== null
  return (
    <Modal opened onClose={dismiss} size={620} title={t('Copiloto na conversa com {name}', { name })}>
      <form
        className={css.column}
        onSubmit={(event) => {
          event.preventDefault()
          if (!isMissing) void ask()
        }}
      >
        <WishFields wish={wish} onChange={(change) => setWish({ ...wish, ...change })} />
        {use === 'ask' && (
          <TextInput
            label={t('Pergunta')}
            placeholder={t('O que ele já comprou?')}
            maxLength={2000}
            value={question}
            onChange={(event) => setQuestion(event.currentTarget.value)}
            data-autofocus
          />
        )}
        {isMissing && use !== 'ask' && (
          <Notice tone="info">{t('Escreva a mensagem no campo da conversa e volte aqui.')}</Notice>
        )}
        {(use === 'rewrite' || use === 'translate') && before.trim() !== '' && (
          <figure className={css.before}>
            <figcaption>{t('Antes')}</figcaption>
            <p>{before}</p>
          </figure>
        )}
        <div aria-live="polite">
          {error && <Notice tone="neg">{t('O copiloto não respondeu. {error}', { error })}</Notice>}
        </div>
        {shown && <AnswerField shown={shown} use={use} onChange={(own) => setShown({ ...shown, own })} />}
        <CopilotSteps isWhole={isWhole} isAsking={isAsking} isMissing={isMissing} use={use} take={take} />
        <small className={css.hint}>{t('Nada é enviado ao cliente daqui. Confira o que o copiloto escreve.')}</small>
      </form>
    </Modal>
  )
}

function CopilotSteps(props: {
  isWhole: boolean
  isAsking: boolean
  isMissing: boolean
  use: CopilotUse
  take: (how: 'replace' | 'note') => void
}) {
  const { isWhole, isAsking, isMissing, use, take } = props
  return (
    <div className={css.actions}>
      <BusyButton
        type="submit"
        variant={isWhole ? 'default' : 'filled'}
        busy={isAsking}
        doing={t('Escrevendo')}
        disabled={isMissing}
      >
        {isWhole ? t('Pedir de novo') : t('Pedir')}
      </BusyButton>
      {isWhole && isReading(use) && (
        <Button variant="default" onClick={() => take('note')}>
          {t('Usar em uma nota interna')}
        </Button>
      )}
      {isWhole && !isReading(use) && <Button onClick={() => take('replace')}>{t('Usar no campo')}</Button>}
    </div>
  )
}

function AnswerField(props: { shown: Shown; use: CopilotUse; onChange: (own: string) => void }) {
  const { shown, use, onChange } = props
  const isWhole = shown.id !== null
  return (
    <Textarea
      label={isReading(use) ? t('Resposta') : t('Depois')}
      description={isWhole ? undefined : t('Escrevendo…')}
      autosize
      minRows={3}
      maxRows={14}
      maxLength={10_000}
      readOnly={!isWhole}
      aria-busy={!isWhole}
      value={shown.own}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

function WishFields({ wish, onChange }: { wish: Chosen; onChange: (change: Partial<Chosen>) => void }) {
  const { use, style, language } = wish
  return (
    <div className={css.row}>
      <Select
        label={t('O que fazer')}
        allowDeselect={false}
        data={Object.entries(uses).map(([value, label]) => ({ value, label }))}
        value={use}
        onChange={(next) => next && onChange({ use: next as CopilotUse })}
      />
      {use === 'rewrite' && (
        <Select
          label={t('Tom')}
          allowDeselect={false}
          data={Object.entries(REWRITE_STYLES).map(([value, { label }]) => ({ value, label }))}
          value={style}
          onChange={(next) => next && onChange({ style: next as RewriteStyle })}
        />
      )}
      {use === 'translate' && (
        <Select
          label={t('Para o idioma')}
          allowDeselect={false}
          data={languages}
          value={language}
          onChange={(next) => next && onChange({ language: next })}
        />
      )}
    </div>
  )
}

/** One answer of the copilot: asked for, shown while it is written, taken or refused. */
function useCopilot(props: { ticketId: number; wish: Chosen; text: string; onClose: () => void }) {
  const { ticketId, wish, text, onClose } = props
  const [shown, setShown] = useState<Shown | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [isAsking, setAsking] = useState(false)
  const stopping = useRef<AbortController | null>(null)
  useEffect(() => () => stopping.current?.abort(), [])
  const report = (outcome: 'taken' | 'changed' | 'refused') => {
    if (!shown?.id) return
    void call(copilot.keep, { params: { answerId: shown.id }, body: { outcome } }, { quiet: true }).catch(() => {})
  }
  const ask = async () => {
    report('refused')
    stopping.current?.abort()
    const ending = new AbortController()
    const { signal } = ending
    stopping.current = ending
    setAsking(true)
    setError(null)
    setShown({ id: null, text: '', own: '' })
    try {
      const asked = { ...wish, text, ...(wish.use === 'read' ? { language: toRead } : {}) }
      const onPiece = (piece: string) =>
        setShown((now) => ({ id: null, text: (now?.text ?? '') + piece, own: (now?.own ?? '') + piece }))
      const { id, answer } = await askCopilot(ticketId, asked, { signal, onPiece })
      setShown({ id, text: answer, own: answer })
    } catch (failure) {
      if (signal.aborted) return
      setShown(null)
      setError(failure instanceof Error ? failure.message : sentence(failure))
    } finally {
      if (!signal.aborted) setAsking(false)
    }
  }
  const take = (how: 'replace' | 'note') => {
    if (!shown) return
    report(shown.own === shown.text ? 'taken' : 'changed')
    const was = savedDraft(ticketId)
    writeDraft(ticketId, { body: shown.own, isNote: how === 'note' ? true : was.isNote })
    notify({
      id: 'copilot',
      tone: 'pos',
      title: t('O texto está no campo. Confira antes de enviar.'),
      action: { label: t('Desfazer'), run: () => writeDraft(ticketId, { body: was.body, isNote: was.isNote }) },
    })
    onClose()
  }
  const dismiss = () => {
    report('refused')
    onClose()
  }
  return { shown, setShown, error, isAsking, ask, take, dismiss }
}

import { Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { formatNumber } from '#web/format.ts'
import { token as ownToken } from '#web/session/session.ts'
import { t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { Pill } from '#web/ui/identity/badges.tsx'
import { CopyButton } from '#web/ui/inputs/CopyButton.tsx'
import { addressOf, curlOf, type Operation, sampleOf } from './document.ts'
import css from './reference.module.css'

type Answer = { status: number; ms: number; text: string }

const LONGEST = 100_000
const SECONDS = 60

/** Form that sends a request and shows the response; uses the session without another token. */
export function TryOut({ operation, token }: { operation: Operation; token: string }) {
  const { method, parameters, requestBody } = operation
  const schema = requestBody?.content['application/json']?.schema
  const [values, setValues] = useState<Record<string, string>>({})
  const [body, setBody] = useState(() => (schema ? JSON.stringify(sampleOf(schema), null, 2) : ''))
  const [problems, setProblems] = useState<Record<string, string>>({})
  const [answer, setAnswer] = useState<Answer | null>(null)
  const [busy, setBusy] = useState(false)
  const send = async () => {
    const found = problemsOf(operation, values, schema ? body : null)
    setProblems(found)
    if (Object.keys(found).length > 0) return
    setBusy(true)
    setAnswer(await ask(method, addressOf(operation, values), schema ? body : null, token || (ownToken() ?? '')))
    setBusy(false)
  }
  return (
    <section className={css.try}>
      <h3>{t('Experimentar')}</h3>
      {method !== 'GET' && <p>{t('O pedido é feito de verdade, com os dados da sua empresa.')}</p>}
      <div className={css.inputs}>
        {parameters.map(({ name, required }) => (
          <TextInput
            key={name}
            label={name}
            required={required}
            value={values[name] ?? ''}
            error={problems[name]}
            onChange={(event) => setValues({ ...values, [name]: event.currentTarget.value })}
          />
        ))}
      </div>
      {schema && (
        <Textarea
          classNames={{ input: css.code }}
          label={t('Corpo (JSON)')}
          autosize
          minRows={3}
          maxRows={16}
          spellCheck={false}
          value={body}
          error={problems['body']}
          onChange={(event) => setBody(event.currentTarget.value)}
        />
      )}
      <div className={css.acts}>
        <BusyButton busy={busy} doing={t('Enviando')} onClick={() => void send()}>
          {t('Enviar')}
        </BusyButton>
        <CopyButton
          label={t('Copiar como curl')}
          text={() => curlOf(location.origin, method, addressOf(operation, values), schema ? body : null)}
        />
      </div>
      {answer && <AnswerView answer={answer} />}
    </section>
  )
}

function AnswerView({ answer }: { answer: Answer }) {
  return (
    <div className={css.answer} role="status">
      <p>
        <Pill tone={answer.status > 0 && answer.status < 400 ? 'pos' : 'neg'}>
          {answer.status || t('Sem resposta')}
        </Pill>
        <span className="g-num">{t('{ms} ms', { ms: formatNumber(answer.ms) })}</span>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <pre tabIndex={0}>
        {answer.text.slice(0, LONGEST)}
        {answer.text.length > LONGEST && '\n…'}
      </pre>
    </div>
  )
}

function problemsOf(operation: Operation, values: Readonly<Record<string, string>>, body: string | null) {
  const found: Record<string, string> = {}
  for (const { name, required } of operation.parameters)
    if (required && !values[name]) found[name] = t('Preencha este campo.')
  try {
    if (body !== null) JSON.parse(body)
  } catch {
    found['body'] = t('Isto não é um JSON válido.')
  }
  return found
}

async function ask(method: string, address: string, body: string | null, token: string): Promise<Answer> {
  const started = performance.now()
  const since = () => Math.round(performance.now() - started)
  try {
    const reply = await fetch(address, {
      method,
      body,
      signal: AbortSignal.timeout(SECONDS * 1000),
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === null ? {} : { 'content-type': 'application/json' }),
      },
    })
    return { status: reply.status, ms: since(), text: pretty(await reply.text()) }
  } catch {
    return { status: 0, ms: since(), text: t('O servidor não respondeu.') }
  }
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

import { useRef, useState } from 'preact/hooks'
import type { VisitAnswers } from '#features/webchat/contract.ts'
import type { VisitField } from '#features/webchat/forms.ts'
import { useCell } from './cell.ts'
import type { Chat } from './chat.ts'
import { t } from './labels.ts'
import { masked } from './mask.ts'

const FIELDS: readonly VisitField[] = ['name', 'email', 'phone', 'cpf']
const INPUTS = {
  name: { type: 'text', autocomplete: 'name', maxLength: 120 },
  email: { type: 'email', autocomplete: 'email', maxLength: 254 },
  phone: { type: 'tel', autocomplete: 'tel-national', maxLength: 32 },
  cpf: { type: 'text', inputMode: 'numeric', autocomplete: 'off', maxLength: 14 },
} as const
const labelOf = (field: VisitField): string =>
  ({ name: t('Nome'), email: t('E-mail'), phone: t('Telefone'), cpf: t('CPF') })[field]

/** Form before the conversation: the fields that the channel asks for, and while no one is available the message itself. */
export const Introduction = ({ chat }: { chat: Chat }) => {
  const { config } = useCell(chat.state)
  const { form, absent } = config
  const isAway = absent !== null
  const [values, setValues] = useState<VisitAnswers>({ name: '', email: '', phone: '', cpf: '', isAgreed: false })
  const [message, setMessage] = useState(chat.draft.get())
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const [isBusy, setBusy] = useState(false)
  const root = useRef<HTMLFormElement>(null)
  const isRequired = (field: VisitField) => form?.[field] === 'required' || (isAway && field === 'email')
  const fields = FIELDS.filter(
    (field) => isRequired(field) || form?.[field] === 'optional' || (isAway && field === 'name'),
  )
  const set = (change: Partial<VisitAnswers>) => setValues((before) => ({ ...before, ...change }))

  const refuse = (found: Readonly<Record<string, string>>) => {
    setProblems(found)
    const [first] = Object.keys(found)
    root.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
  }
  const submit = async () => {
    if (isBusy) return
    const missing = [
      ...fields.filter((field) => isRequired(field) && values[field].trim() === ''),
      ...(isAway && message.trim() === '' ? ['message'] : []),
    ].map((field) => [field, t('Preencha este campo.')])
    if (form?.consent && !values.isAgreed) missing.push(['isAgreed', t('Marque para continuar.')])
    if (missing.length > 0) return refuse(Object.fromEntries(missing))
    setBusy(true)
    const found = await chat.introduce(values, isAway ? message.trim() : '')
    setBusy(false)
    if (found) refuse(found)
  }
  const problem = (name: string) =>
    problems[name] && (
      <small class="problem" id={`p-${name}`}>
        {problems[name]}
      </small>
    )
  const fieldProps = (name: string) => ({
    ...{ name, 'aria-invalid': problems[name] ? true : undefined },
    'aria-describedby': problems[name] ? `p-${name}` : undefined,
  })
  return (
    <form
      ref={root}
      class="introduction"
      noValidate
      aria-labelledby="introduction"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <h2 id="introduction">{isAway ? t('Deixe sua mensagem') : t('Antes de começar')}</h2>
      {(absent ?? config.welcome) && <p>{t(absent ?? config.welcome)}</p>}
      {fields.map((field) => (
        <div class="entry" key={field}>
          <label>
            <span>{isRequired(field) ? labelOf(field) : t('{name} (opcional)', { name: labelOf(field) })}</span>
            <input
              {...INPUTS[field]}
              {...fieldProps(field)}
              required={isRequired(field)}
              value={values[field]}
              onInput={({ currentTarget: input }) => {
                // Formats only at the end of the text, so that the caret does not jump.
                const isAtEnd = input.type === 'email' || input.selectionStart === input.value.length
                set({ [field]: isAtEnd ? masked(field, input.value) : input.value })
              }}
              onBlur={({ currentTarget: input }) => set({ [field]: masked(field, input.value) })}
            />
          </label>
          {problem(field)}
        </div>
      ))}
      {isAway && (
        <div class="entry">
          <label>
            <span>{t('Mensagem')}</span>
            <textarea
              rows={4}
              maxLength={4096}
              {...fieldProps('message')}
              required
              value={message}
              onInput={({ currentTarget: { value } }) => {
                setMessage(value)
                chat.draft.set(value)
              }}
            />
          </label>
          {problem('message')}
        </div>
      )}
      {form?.consent && (
        <div class="entry">
          <label class="consent">
            <input
              type="checkbox"
              {...fieldProps('isAgreed')}
              checked={values.isAgreed}
              onChange={({ currentTarget }) => set({ isAgreed: currentTarget.checked })}
            />
            <span>{form.consent}</span>
          </label>
          {problem('isAgreed')}
        </div>
      )}
      <div role="alert">{problem('')}</div>
      <button type="submit" class="start" aria-disabled={isBusy}>
        {isAway ? t('Enviar') : t('Começar')}
      </button>
    </form>
  )
}

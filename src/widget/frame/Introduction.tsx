import { useRef, useState } from 'preact/hooks'
import type { VisitAnswers, WebchatConfig } from '#features/webchat/contract.ts'
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

type Problems = Readonly<Record<string, string>>

/** Form before the conversation: the fields that the channel asks for, and while no one is available the message itself. */
export const Introduction = ({ chat }: { chat: Chat }) => {
  const { config } = useCell(chat.state)
  const { form, absent } = config
  const { root, fields, isRequired, values, set, message, write, problems, isBusy, submit } = useIntroduction(
    chat,
    config,
  )
  const isAway = absent !== null
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
        <Entry
          key={field}
          field={field}
          isRequired={isRequired(field)}
          value={values[field]}
          onChange={(value) => set({ [field]: value })}
          problems={problems}
        />
      ))}
      {isAway && <MessageEntry value={message} onChange={write} problems={problems} />}
      {form?.consent && (
        <div class="entry">
          <label class="consent">
            <input
              type="checkbox"
              {...fieldProps('isAgreed', problems)}
              checked={values.isAgreed}
              onChange={({ currentTarget }) => set({ isAgreed: currentTarget.checked })}
            />
            <span>{form.consent}</span>
          </label>
          <Problem name="isAgreed" problems={problems} />
        </div>
      )}
      <div role="alert">
        <Problem name="" problems={problems} />
      </div>
      <button type="submit" class="start" aria-disabled={isBusy}>
        {isAway ? t('Enviar') : t('Começar')}
      </button>
    </form>
  )
}

/** State of the form: its values, the checks before it is sent, and the focus on the first wrong field. */
const useIntroduction = (chat: Chat, { form, absent }: WebchatConfig) => {
  const isAway = absent !== null
  const [values, setValues] = useState<VisitAnswers>({ name: '', email: '', phone: '', cpf: '', isAgreed: false })
  const [message, setMessage] = useState(chat.draft.get())
  const [problems, setProblems] = useState<Problems>({})
  const [isBusy, setBusy] = useState(false)
  const root = useRef<HTMLFormElement>(null)
  const isRequired = (field: VisitField) => form?.[field] === 'required' || (isAway && field === 'email')
  const fields = FIELDS.filter(
    (field) => isRequired(field) || form?.[field] === 'optional' || (isAway && field === 'name'),
  )
  const set = (change: Partial<VisitAnswers>) => setValues((before) => ({ ...before, ...change }))
  const write = (text: string) => {
    setMessage(text)
    chat.draft.set(text)
  }

  const refuse = (found: Problems) => {
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
  return { root, fields, isRequired, values, set, message, write, problems, isBusy, submit }
}

/** Field about the visitor, formatted as they type. */
const Entry = (props: {
  field: VisitField
  isRequired: boolean
  value: string
  onChange: (value: string) => void
  problems: Problems
}) => {
  const { field, isRequired, value, onChange, problems } = props
  return (
    <div class="entry">
      <label>
        <span>{isRequired ? labelOf(field) : t('{name} (opcional)', { name: labelOf(field) })}</span>
        <input
          {...INPUTS[field]}
          {...fieldProps(field, problems)}
          required={isRequired}
          value={value}
          onInput={({ currentTarget: input }) => {
            // Formats only at the end of the text, so that the caret does not jump.
            const isAtEnd = input.type === 'email' || input.selectionStart === input.value.length
            onChange(isAtEnd ? masked(field, input.value) : input.value)
          }}
          onBlur={({ currentTarget: input }) => onChange(masked(field, input.value))}
        />
      </label>
      <Problem name={field} problems={problems} />
    </div>
  )
}

const MessageEntry = (props: { value: string; onChange: (value: string) => void; problems: Problems }) => (
  <div class="entry">
    <label>
      <span>{t('Mensagem')}</span>
      <textarea
        rows={4}
        maxLength={4096}
        {...fieldProps('message', props.problems)}
        required
        value={props.value}
        onInput={({ currentTarget: { value } }) => props.onChange(value)}
      />
    </label>
    <Problem name="message" problems={props.problems} />
  </div>
)

const Problem = ({ name, problems }: { name: string; problems: Problems }) =>
  problems[name] ? (
    <small class="problem" id={`p-${name}`}>
      {problems[name]}
    </small>
  ) : null

const fieldProps = (name: string, problems: Problems) => ({
  name,
  'aria-invalid': problems[name] ? true : undefined,
  'aria-describedby': problems[name] ? `p-${name}` : undefined,
})

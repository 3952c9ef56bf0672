import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { firstOf } from '#domain/present.ts'
import { isApiError, request, sentence, sentencesIn } from '#web/api.ts'
import { encryptPassword } from '#web/session/encrypt-password.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { applyMask, documentMask } from '#web/ui/inputs/mask.ts'
import { EnterButton } from './EnterButton.tsx'
import { EntryFrame } from './EntryFrame.tsx'
import css from './login.module.css'
import { NewPassword } from './NewPassword.tsx'
import { type Offer, PlanChoice } from './PlanChoice.tsx'
import { type Application, problemsOf } from './signup-rules.ts'

type Offers = { plan: Offer[]; hasMore: boolean; isOpen: boolean }

const empty: Application = {
  name: '',
  userName: '',
  cpfCnpj: '',
  email: '',
  mobilePhone: '',
  password: '',
  planId: null,
}

/** Signup page: company, administrator and plan; shows a notice if signup is closed. */
export function Signup({ onDone }: { onDone: () => void }) {
  const [offers, setOffers] = useState<Offers>()
  const [failure, setFailure] = useState<string>()
  useEffect(() => {
    request<Offers>('GET', '/plan', { quiet: true }).then(setOffers, (error) => setFailure(sentence(error)))
  }, [])
  if (failure || (offers && !offers.isOpen)) {
    const closed = t('Quem administra esta instalação cria as contas. Fale com essa pessoa para receber um convite.')
    return (
      <EntryFrame
        title={failure ? t('Não foi possível carregar') : t('O cadastro está fechado')}
        text={failure ?? closed}
      >
        <div className={css.form}>
          <Button size="lg" fullWidth component="a" href="/login">
            {t('Ir para a entrada')}
          </Button>
        </div>
      </EntryFrame>
    )
  }
  return offers ? <SignupForm plans={offers.plan} hasMore={offers.hasMore} onDone={onDone} /> : null
}

function SignupForm({ plans, hasMore, onDone }: { plans: readonly Offer[]; hasMore: boolean; onDone: () => void }) {
  const [values, setValues] = useState<Application>({ ...empty, planId: plans.length === 1 ? firstOf(plans).id : null })
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const set = (key: keyof Application, value: string | number) => {
    setValues((now) => ({ ...now, [key]: value }))
    setErrors(({ [key]: _, ...rest }) => rest)
  }
  const show = (found: Record<string, string>) => {
    setErrors(found)
    const first = Object.keys(found)[0]
    if (first) requestAnimationFrame(() => form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus())
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const found = problemsOf(values)
    show(found)
    if (Object.keys(found).length > 0) return
    setBusy(true)
    try {
      const body = { ...values, email: values.email.trim(), password: await encryptPassword(values.password) }
      const { message } = await request<{ message: string }>('POST', '/asaas/client', { body, quiet: true })
      notify({ tone: 'pos', id: 'signup', title: message })
      onDone()
    } catch (error) {
      const byField = isApiError(error) && ['ERR_VALIDATION', 'ERR_DUPLICATED'].includes(error.code)
      if (byField && Object.keys(error.details).length > 0) show(sentencesIn(error.details))
      else notify({ tone: 'neg', id: 'signup', title: sentence(error) })
      setBusy(false)
    }
  }
  return (
    <EntryFrame title={t('Crie sua conta!')} text={t('Sua empresa e você, que vai administrá-la.')}>
      <form ref={form} className={css.form} onSubmit={submit} noValidate>
        <CompanyFields values={values} errors={errors} set={set} />
        <NewPassword
          label={t('Senha')}
          value={values.password}
          error={errors.password}
          onChange={(value) => set('password', value)}
        />
        <PlanChoice
          plans={plans}
          hasMore={hasMore}
          value={values.planId}
          error={errors.planId}
          onChange={(id) => set('planId', id)}
        />
        <EnterButton busy={busy} doing={t('Criando')} label={t('Criar conta')} />
        <p className={css.ways}>
          <a href="/login">{t('Já tenho uma conta')}</a>
        </p>
      </form>
    </EntryFrame>
  )
}

function CompanyFields({
  values,
  errors,
  set,
}: {
  values: Application
  errors: Record<string, string>
  set: (key: keyof Application, value: string | number) => void
}) {
  const field = (key: Exclude<keyof Application, 'planId'>, shown: (value: string) => string = (value) => value) => ({
    size: 'lg',
    name: key,
    value: shown(values[key]),
    error: errors[key],
    onChange: (event: { currentTarget: { value: string } }) => set(key, shown(event.currentTarget.value)),
  })
  return (
    <>
      <TextInput {...field('name')} label={t('Nome da empresa')} autoComplete="organization" autoFocus />
      <TextInput {...field('userName')} label={t('Seu nome')} autoComplete="name" />
      <TextInput
        {...field('cpfCnpj', (value) => applyMask(documentMask(value), value))}
        label={t('CPF ou CNPJ')}
        autoCapitalize="characters"
      />
      <TextInput {...field('email')} label={t('E-mail')} type="email" autoComplete="username" />
      <TextInput
        {...field('mobilePhone', (value) => applyMask('celular', value))}
        label={t('Celular')}
        type="tel"
        inputMode="numeric"
        autoComplete="tel-national"
        placeholder="(11) 98765-4321"
      />
    </>
  )
}

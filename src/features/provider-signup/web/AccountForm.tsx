import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { NameAndQueue } from '#features/connections/web/index.ts'
import { isApiError, sentence } from '#web/api.ts'
import { call } from '#web/client.ts'
import { t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { Pill } from '#web/ui/identity/badges.tsx'
import { Fields, Notice } from '#web/ui/inputs/fields.tsx'
import { type FormFields, useForm } from '#web/ui/inputs/use-form.ts'
import { Card } from '#web/ui/layout/page.tsx'
import { providerSignups } from '../addresses.ts'
import type { SignupAccount } from '../contract.ts'
import { connectForm } from '../forms.ts'

type Values = { name: string; queueId: number | null; pin: string }

/** Form of an account after a login: connects it, or renews the token of its connection. */
export function AccountForm(props: {
  signupId: number
  account: SignupAccount
  /** Whether the number is registered with a PIN. */
  hasPin: boolean
}) {
  const { signupId, account, hasPin } = props
  const { account: id, label, whatsappId } = account
  const { values, errors, set, check, refuse } = useForm<Values>(
    { name: account.name.slice(0, 60), queueId: null, pin: '' },
    connectForm.omit({ account: true }),
  )
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const [isDone, setDone] = useState(false)
  const connect = async () => {
    if (!check()) return
    setBusy(true)
    setProblem('')
    try {
      const body = { account: id, ...values }
      const done = await call(providerSignups.connect, { params: { id: signupId }, body }, { quiet: true, long: true })
      setDone(true)
      setProblem(done.problem ?? '')
    } catch (error) {
      const config = isApiError(error) ? error.details['config'] : undefined
      if (typeof config === 'string') setProblem(config)
      else if (isApiError(error) && error.code === 'ERR_VALIDATION') refuse(error)
      else setProblem(sentence(error))
    }
    setBusy(false)
  }
  const isConnected = isDone || whatsappId !== null
  return (
    <Card title={label} actions={isConnected && <Pill tone="pos">{isDone ? t('Conectado') : t('Já é um canal')}</Pill>}>
      <Fields>
        {whatsappId === null && !isDone && (
          <NameAndQueue values={values} errors={errors} set={(key, value) => set(key, value)} />
        )}
        {!isDone && hasPin && <PinField values={values} errors={errors} set={set} />}
        <div aria-live="polite">
          {problem && (
            <Notice tone={isDone ? 'warn' : 'neg'}>
              {isDone ? t('Conectado, mas não registrado: {problem}', { problem }) : problem}
            </Notice>
          )}
          {isDone && !problem && <Notice tone="info">{t('Pronto: as mensagens desta conta chegam aqui.')}</Notice>}
        </div>
        {!isDone && (
          <div>
            <BusyButton busy={busy} doing={t('Conectando')} onClick={() => busy || void connect()}>
              {whatsappId === null ? t('Conectar') : t('Renovar o acesso')}
            </BusyButton>
          </div>
        )}
      </Fields>
    </Card>
  )
}

function PinField({ values, errors, set }: FormFields<Values>) {
  return (
    <TextInput
      label={t('PIN de seis dígitos')}
      description={t('Para registrar o número. Deixe em branco se ele já está registrado.')}
      inputMode="numeric"
      autoComplete="off"
      maxLength={6}
      value={values.pin}
      error={errors['pin']}
      onChange={(event) => set('pin', event.currentTarget.value.replace(/\D/g, ''))}
    />
  )
}

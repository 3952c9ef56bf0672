import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useState } from 'react'
import { CodeInput, Enrolment, RecoveryCodes } from '#features/second-factor/web/index.ts'
import { isApiError, sentence } from '#web/api.ts'
import { canUsePasskeys } from '#web/session/passkeys.ts'
import type { LoginAnswer } from '#web/session/session.ts'
import { t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { PasskeyIcon } from '#web/ui/icons.ts'
import { EntryFrame } from './EntryFrame.tsx'
import { confirmStep, enrolApp, explainFailure, logInWithPasskey, type Pending } from './enter.ts'
import css from './login.module.css'

type Props = { pending: Pending; onDone: (answer: LoginAnswer) => void; onBack: () => void }

/** Second step of a login: a code, a passkey, or enrolment of an app if the company requires it. */
export function SecondStep(props: Props) {
  const { methods } = props.pending
  if (methods.includes('enrol')) return <FirstApp {...props} />
  return methods.includes('totp') ? <Codes {...props} /> : <OnlyPasskey {...props} />
}

/** Hook that shows a refusal; an expired login returns to the password form. */
const useFailure = (onBack: () => void) => (error: unknown) => {
  explainFailure(error)
  if (isApiError(error) && error.code === 'ERR_A2F_OVER') onBack()
}

function Codes({ pending, onDone, onBack }: Props) {
  const [isRecovery, setRecovery] = useState(false)
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const fail = useFailure(onBack)
  const send = async (value: string) => {
    setBusy(true)
    try {
      onDone((await confirmStep(pending.pendingSessionId, value)).answer)
    } catch (failure) {
      setBusy(false)
      setCode('')
      if (isApiError(failure) && failure.code === 'ERR_A2F_INVALID') setError(sentence(failure))
      else fail(failure)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isRecovery ? code.trim() : code.length === 6) void send(code)
    else setError(isRecovery ? t('Digite um dos códigos que você guardou.') : t('Digite os 6 dígitos do aplicativo.'))
  }
  const type = (next: string) => {
    setCode(next)
    setError(undefined)
    if (!isRecovery && next.length === 6 && !busy) void send(next)
  }
  const change = () => {
    setRecovery(!isRecovery)
    setCode('')
    setError(undefined)
  }
  return (
    <EntryFrame
      title={t('Confirme que é você')}
      text={
        isRecovery
          ? t('Use um dos códigos de recuperação que você guardou. Cada um vale uma vez.')
          : t('Digite o código de 6 dígitos que o aplicativo autenticador mostra agora.')
      }
    >
      <form className={css.form} onSubmit={submit} noValidate>
        <CodeField isRecovery={isRecovery} code={code} error={error} onType={type} />
        <BusyButton type="submit" size="lg" fullWidth busy={busy} doing={t('Conferindo')}>
          {t('Confirmar')}
        </BusyButton>
        {pending.methods.includes('passkey') && <PasskeyButton onDone={onDone} onFailure={fail} />}
        <p className={css.ways}>
          {pending.methods.includes('recovery') && <OtherCode isRecovery={isRecovery} onClick={change} />}
          <button type="button" onClick={onBack}>
            {t('Voltar')}
          </button>
        </p>
      </form>
    </EntryFrame>
  )
}

function OtherCode({ isRecovery, onClick }: { isRecovery: boolean; onClick: () => void }) {
  return (
    <button type="button" onClick={onClick}>
      {isRecovery ? t('Usar o aplicativo') : t('Usar um código de recuperação')}
    </button>
  )
}

function CodeField(props: {
  isRecovery: boolean
  code: string
  error: string | undefined
  onType: (next: string) => void
}) {
  const { isRecovery, code, error, onType } = props
  return isRecovery ? (
    <TextInput
      key="recovery"
      size="lg"
      label={t('Código de recuperação')}
      name="recovery"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      placeholder={t('xxxx-xxxx-xxxx-xxxx')}
      autoFocus
      value={code}
      error={error}
      onChange={(event) => onType(event.currentTarget.value)}
    />
  ) : (
    <CodeInput key="app" label={t('Código do aplicativo')} value={code} error={error} autoFocus onChange={onType} />
  )
}

function PasskeyButton({
  onDone,
  onFailure,
}: {
  onDone: (answer: LoginAnswer) => void
  onFailure: (error: unknown) => void
}) {
  if (!canUsePasskeys()) return null
  const use = async () => {
    try {
      const answer = await logInWithPasskey()
      if (answer) onDone(answer as LoginAnswer)
    } catch (error) {
      onFailure(error)
    }
  }
  return (
    <Button variant="default" size="lg" fullWidth leftSection={<PasskeyIcon size={18} />} onClick={() => void use()}>
      {t('Usar uma passkey')}
    </Button>
  )
}

function OnlyPasskey({ onDone, onBack }: Props) {
  const fail = useFailure(onBack)
  return (
    <EntryFrame
      title={t('Confirme com a sua passkey')}
      text={t('Sua empresa exige um segundo fator, e o seu é uma passkey. Se você a perdeu, peça ao administrador.')}
    >
      <div className={css.form}>
        <PasskeyButton onDone={onDone} onFailure={fail} />
        <Button variant="default" size="lg" fullWidth onClick={onBack}>
          {t('Voltar')}
        </Button>
      </div>
    </EntryFrame>
  )
}

function FirstApp({ pending, onDone, onBack }: Props) {
  const { pendingSessionId } = pending
  const [app, setApp] = useState<{ secret: string; uri: string }>()
  const [made, setMade] = useState<{ answer: LoginAnswer; recoveryCodes: string[] | null }>()
  const fail = useFailure(onBack)
  useEffect(() => {
    enrolApp(pendingSessionId).then(setApp, (error) => {
      explainFailure(error)
      onBack()
    })
  }, [pendingSessionId, onBack])
  return (
    <EntryFrame
      title={made ? t('Guarde os códigos de recuperação') : t('Falta o segundo fator')}
      text={
        made
          ? t('Sua conta agora pede um código do celular além da senha.')
          : t('Sua empresa exige um código do celular além da senha. Configure-o uma vez, agora.')
      }
    >
      <div className={css.form}>
        {made ? (
          <RecoveryCodes codes={made.recoveryCodes ?? []} onDone={() => onDone(made.answer)} />
        ) : (
          app && (
            <Enrolment
              {...app}
              confirm={async (code) => setMade(await confirmStep(pendingSessionId, code))}
              onFailure={fail}
            />
          )
        )}
        {!made && (
          <p className={css.ways}>
            <button type="button" onClick={onBack}>
              {t('Voltar')}
            </button>
          </p>
        )}
      </div>
    </EntryFrame>
  )
}

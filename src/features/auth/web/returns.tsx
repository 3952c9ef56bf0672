import { Button, Loader } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { t } from '#web/t.ts'
import { EntryFrame } from './EntryFrame.tsx'
import { type Entered, explainFailure, returnFromProvider } from './enter.ts'
import css from './login.module.css'

type Returned = Readonly<Record<string, string>>

/** /auth/google/callback: submits the external provider's parameters once; a refusal returns to the login form. */
export function ExternalReturn(props: { returned: Returned; onDone: (answer: Entered) => void; onBack: () => void }) {
  const { returned, onDone, onBack } = props
  const isSent = useRef(false)
  useEffect(() => {
    if (isSent.current) return
    isSent.current = true
    returnFromProvider(returned).then(onDone, (error) => {
      explainFailure(error)
      onBack()
    })
  }, [returned, onDone, onBack])
  return (
    <EntryFrame title={t('Só um instante')} text={t('Conferindo a sua entrada com o provedor.')}>
      <div className={css.form}>
        <Loader size={28} aria-label={t('Conferindo')} />
      </div>
    </EntryFrame>
  )
}

/**
 * /gmail/callbackUrlBack: return page after a consent to read a mailbox at Google or Microsoft. Redirects to the page named
 * in the state; without such a state it shows a notice and discards the parameters.
 */
export function GmailReturn({ returned }: { returned: Returned }) {
  const { state = '', code, error } = returned
  const [, provider] = /^([a-z]+)\.[a-z]+\.[\w-]{43}$/.exec(state) ?? []
  useEffect(() => {
    if (!provider) return
    const back = new URLSearchParams({ state, ...(code ? { code } : {}), ...(error ? { error } : {}) })
    location.replace(`/configuracoes/${provider}?${back}`)
  }, [provider, state, code, error])
  if (provider) return null
  return (
    <EntryFrame
      title={error ? t('A autorização não foi dada') : t('Nenhum canal de e-mail aguardava esta autorização')}
      text={
        error
          ? t('O provedor voltou sem a autorização para a caixa de e-mail. Nada mudou na sua conta.')
          : t('O código que veio do provedor foi descartado e não dá acesso a nada. Você pode fechar esta página.')
      }
    >
      <div className={css.form}>
        <Button component="a" href="/" size="lg" fullWidth>
          {t('Ir para o início')}
        </Button>
      </div>
    </EntryFrame>
  )
}

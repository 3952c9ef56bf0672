import { Button, Loader } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { t } from '#web/t.ts'
import { EntryFrame } from './EntryFrame.tsx'
import { type Entered, explainFailure, returnFromProvider } from './enter.ts'
import css from './login.module.css'

type Returned = Readonly<Record<string, string>>

/** /auth/google/callback: hands on what the external provider sent back, once; a refusal ends on the login form. */
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
 * /gmail/callbackUrlBack: where Google sends people back after they have let a mail box be read. No mail box waits for
 * that yet, so what came back is told and forgotten.
 */
export function GmailReturn({ returned }: { returned: Returned }) {
  const isRefused = Boolean(returned.error)
  return (
    <EntryFrame
      title={isRefused ? t('A autorização não foi dada') : t('Nenhuma conexão de e-mail aguardava esta autorização')}
      text={
        isRefused
          ? t('O Google voltou sem a autorização para a caixa de e-mail. Nada mudou na sua conta.')
          : t('O código que veio do Google foi descartado e não dá acesso a nada. Você pode fechar esta página.')
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

import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { MAIL_ADDRESS } from '#domain/messages/mail.ts'
import { isApiError, sentence } from '#web/api.ts'
import { call } from '#web/client.ts'
import { t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { Fields, Notice } from '#web/ui/inputs/fields.tsx'
import { Card } from '#web/ui/layout/page.tsx'
import type { companyMail } from '../addresses.ts'

/** Form that sends a test mail with the saved settings, and shows the server's answer in plain words. */
export function TestMail({ operations, isReady }: { operations: typeof companyMail; isReady: boolean }) {
  const [to, setTo] = useState('')
  const [error, setError] = useState<string>()
  const test = useMutation({
    mutationFn: () => call(operations.test, { body: { to: to.trim() } }, { quiet: true }),
    onError: (failure) => {
      if (isApiError(failure) && failure.code === 'ERR_VALIDATION') setError(String(failure.details['to']))
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!MAIL_ADDRESS.test(to.trim())) return setError(t('Informe um e-mail válido.'))
    test.mutate()
  }
  const reason = isApiError(test.error) && test.error.details['reason']
  return (
    <Card title={t('Testar o envio')}>
      <form noValidate onSubmit={submit}>
        <Fields>
          <p className="g-help">
            {isReady
              ? t('Um e-mail curto sai agora, com o que está salvo.')
              : t('Ligue o envio e salve antes de testar.')}
          </p>
          <TextInput
            label={t('Enviar para')}
            type="email"
            autoComplete="email"
            disabled={!isReady}
            value={to}
            error={error}
            onChange={(event) => {
              setTo(event.currentTarget.value)
              setError(undefined)
              test.reset()
            }}
          />
          <BusyButton type="submit" variant="default" busy={test.isPending} doing={t('Enviando')} disabled={!isReady}>
            {t('Enviar e-mail de teste')}
          </BusyButton>
          {isReady && test.isSuccess && (
            <Notice tone="info">{t('O servidor aceitou o e-mail. Confira a caixa de entrada.')}</Notice>
          )}
          {isReady && test.error && !error && (
            <Notice tone="neg">{reason ? String(reason) : sentence(test.error)}</Notice>
          )}
        </Fields>
      </form>
    </Card>
  )
}

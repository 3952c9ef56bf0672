import { TextInput } from '@mantine/core'
import type { ProviderValues } from '#kit/provider.ts'
import { plural, t } from '#web/t.ts'
import { Fields, Notice } from '#web/ui/inputs/fields.tsx'
import { Card } from '#web/ui/layout/page.tsx'
import { UnusedCalls } from './UnusedCalls.tsx'

/** Webhook URL of a provider, with counts of refused and unread calls. */
export function ProviderWebhook({ stored }: { stored: ProviderValues }) {
  const { webhookUrl, unreadFields } = stored
  const [refused, unclaimed] = [Number(stored['refusedCalls'] ?? 0), Number(stored['unclaimedEvents'] ?? 0)]
  const address = webhookUrl === null ? null : String(webhookUrl)
  return (
    <Card title={t('Webhook')}>
      {address === null ? (
        <p>{t('O endereço que o provedor chama aparece aqui depois de salvar.')}</p>
      ) : (
        <Fields>
          <TextInput
            label={t('Endereço para o provedor (webhook)')}
            description={t('Cadastre-o no provedor, letra por letra.')}
            readOnly
            value={address.startsWith('/') ? location.origin + address : address}
            onFocus={(event) => event.currentTarget.select()}
          />
          <UnusedCalls refused={refused} unread={String(unreadFields ?? '')} isShared />
          {unclaimed > 0 && (
            <Notice tone="info">
              {t('{count} de contas que ninguém conectou aqui.', {
                count: plural(unclaimed, t('evento'), t('eventos')),
              })}
            </Notice>
          )}
        </Fields>
      )}
    </Card>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isApiError, notifyError } from '#web/api.ts'
import { queryClient } from '#web/client.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { Notice, SwitchGroup, SwitchRow } from '#web/ui/inputs/fields.tsx'
import { push } from '../addresses.ts'
import { type PushState, readPush, startPushing, stopPushing } from './push.ts'

const usual = t(
  'Chegam também com o Guichê fechado; um toque abre a mensagem. Só enquanto você estiver conectado aqui.',
)

const effects: Partial<Record<PushState, string>> = {
  none: t('Este navegador não recebe avisos com o Guichê fechado.'),
  insecure: t('Este navegador só recebe avisos em endereços https.'),
}

const waysOut: Partial<Record<PushState, string>> = {
  off: t('Este navegador ainda não foi autorizado: ligue e responda “Permitir” quando ele perguntar.'),
  install: t(
    'No iPhone e no iPad, toque em Compartilhar e em “Adicionar à Tela de Início”; depois abra o Guichê por lá e ligue os avisos.',
  ),
  denied: t(
    'Os avisos deste endereço estão bloqueados. Nas configurações do navegador ou do celular, permita as notificações do Guichê e ligue de novo.',
  ),
}

const queryKey = [push.get.family, push.get.name, 'here']

/** Switch of this device's notifications while the product is closed; only this switch requests the browser's permission. */
export function DeviceNotices() {
  const { data: state } = useQuery({ queryKey, queryFn: readPush, staleTime: 0 })
  const [busy, setBusy] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const turn = async (next: boolean) => {
    setBusy(true)
    setAsked(false)
    try {
      const now = next ? await startPushing() : await stopPushing().then((): PushState => 'off')
      queryClient.setQueryData(queryKey, now)
      setAsked(next && now !== 'on')
      if (now === 'on') notify({ tone: 'pos', title: t('Este dispositivo recebe avisos') })
      if (!next) notify({ tone: 'pos', title: t('Este dispositivo não recebe mais avisos') })
    } catch (error) {
      if (isApiError(error)) notifyError(error)
      else
        notify({
          tone: 'warn',
          title: t('O serviço de avisos deste navegador não respondeu.'),
          text: t('Confira a internet e tente de novo em instantes.'),
        })
    } finally {
      setBusy(false)
    }
  }
  const canTurn = state === 'on' || state === 'off' || state === 'denied'
  const wayOut = state && waysOut[state]
  return (
    <>
      <SwitchGroup>
        <SwitchRow
          name={t('Avisos neste dispositivo')}
          effect={(state && effects[state]) ?? usual}
          disabled={busy || !canTurn}
          checked={state === 'on'}
          onChange={(next) => void turn(next)}
        />
      </SwitchGroup>
      {wayOut && (state === 'install' || isAsked) && (
        <Notice tone={state === 'install' ? 'info' : 'warn'}>{wayOut}</Notice>
      )}
    </>
  )
}

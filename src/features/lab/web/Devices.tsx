import { Button } from '@mantine/core'
import { Suspense } from 'react'
import { connections } from '#features/connections/connection-addresses.ts'
import { loadStatePill } from '#features/connections/web/index.ts'
import type { Input } from '#kit/contract.ts'
import { attempt } from '#web/attempt.ts'
import { useChoices } from '#web/choices.ts'
import { call } from '#web/client.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { useMay } from '#web/session/permissions.ts'
import { t } from '#web/t.ts'
import {
  BlockIcon,
  ComputerIcon,
  LateIcon,
  OfflineIcon,
  RefreshIcon,
  ServerDownIcon,
  ServerIcon,
  UnplugIcon,
} from '#web/ui/icons.ts'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import { lab } from '../addresses.ts'
import type { lab as contract, LabPhone } from '../contract.ts'
import css from './lab.module.css'

const StatePill = lazyPart(loadStatePill)

type Act = Input<typeof contract.device>['body']['act']

/**
 * List of the phones that channels are linked to, with commands to scan codes, lose the connection and remove the link; and
 * of stopped channels.
 */
export function Devices({ phones }: { phones: readonly LabPhone[] }) {
  const mayStart = useMay()('connections:write')
  const linked = new Set(phones.filter(({ isLinked }) => isLinked).map(({ connectionId }) => connectionId))
  const written = new Set(phones.map(({ connectionId }) => connectionId))
  const hasDevice = ({ id, type }: { id: number; type: string }) => type === 'lab-device' || linked.has(id)
  const devices = useChoices('connections').filter(
    (row) => hasDevice(row) || (row.status === 'DISCONNECTED' && written.has(row.id)),
  )
  if (devices.length === 0) return null
  return (
    <ul className={css.devices} aria-label={t('Aparelhos')}>
      {devices.map((row) => {
        const { id, name, status } = row
        const act = (what: Act) => () =>
          void attempt(() => call(lab.device, { params: { id }, body: { act: what } }, { quiet: true }))
        const start = () => void attempt(() => call(connections.start, { params: { id }, body: {} }, { quiet: true }))
        return (
          <li key={id}>
            <b className="g-cut">{name}</b>
            <Suspense>
              <StatePill row={row} />
            </Suspense>
            {status === 'DISCONNECTED' && mayStart ? (
              <Button variant="default" size="xs" onClick={start}>
                {t('Conectar')}
              </Button>
            ) : (
              <Button variant="default" size="xs" disabled={status !== 'qrcode'} onClick={act('scan')}>
                {t('Ler o código')}
              </Button>
            )}
            {hasDevice(row) && (
              <CommandMenu
                label={t('Aparelho de {name}', { name })}
                commands={[
                  { id: 'cut', label: t('Cortar a conexão'), icon: OfflineIcon, run: act('cut') },
                  { id: 'unlink', label: t('Desligar o aparelho no telefone'), icon: UnplugIcon, run: act('unlink') },
                  { id: 'replace', label: t('Abrir em outro programa'), icon: ComputerIcon, run: act('replace') },
                  { id: 'ban', label: t('Bloquear o número'), icon: BlockIcon, run: act('ban') },
                  ...(linked.has(id)
                    ? [
                        { id: 'away', label: t('Ficar fora por 10 min'), icon: LateIcon, run: act('away') },
                        { id: 'back', label: t('Voltar agora'), icon: RefreshIcon, run: act('back') },
                        { id: 'kill', label: t('Derrubar o servidor'), icon: ServerDownIcon, run: act('kill') },
                        { id: 'revive', label: t('Religar o servidor'), icon: ServerIcon, run: act('revive') },
                      ]
                    : []),
                ]}
              />
            )}
          </li>
        )
      })}
    </ul>
  )
}

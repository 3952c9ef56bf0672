import { Button } from '@mantine/core'
import { attempt } from '#web/attempt.ts'
import { useChoices } from '#web/choices.ts'
import { call } from '#web/client.ts'
import { t } from '#web/t.ts'
import { BlockIcon, ComputerIcon, OfflineIcon, UnplugIcon } from '#web/ui/icons.ts'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import { lab } from '../addresses.ts'
import css from './lab.module.css'

/** The phones to which channels are linked: they read codes, lose their connection, and do away with the link. */
export function Devices() {
  const devices = useChoices('connections').filter(({ type }) => type === 'lab-device')
  if (devices.length === 0) return null
  return (
    <ul className={css.devices} aria-label={t('Aparelhos')}>
      {devices.map(({ id, name, status }) => {
        const act = (what: 'scan' | 'cut' | 'unlink' | 'replace' | 'ban') => () =>
          void attempt(() => call(lab.device, { params: { id }, body: { act: what } }, { quiet: true }))
        return (
          <li key={id}>
            <b className="g-cut">{name}</b>
            <Button variant="default" size="xs" disabled={status !== 'qrcode'} onClick={act('scan')}>
              {t('Ler o código')}
            </Button>
            <CommandMenu
              label={t('Aparelho de {name}', { name })}
              commands={[
                { id: 'cut', label: t('Cortar a conexão'), icon: OfflineIcon, run: act('cut') },
                { id: 'unlink', label: t('Desligar o aparelho no telefone'), icon: UnplugIcon, run: act('unlink') },
                { id: 'replace', label: t('Abrir em outro programa'), icon: ComputerIcon, run: act('replace') },
                { id: 'ban', label: t('Bloquear o número'), icon: BlockIcon, run: act('ban') },
              ]}
            />
          </li>
        )
      })}
    </ul>
  )
}

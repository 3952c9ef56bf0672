import { Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { sentence } from '#web/api.ts'
import { call } from '#web/client.ts'
import { t } from '#web/t.ts'
import { PositiveIcon } from '#web/ui/icons.ts'
import { QrCode } from '#web/ui/identity/QrCode.tsx'
import { voiceDevices } from '../addresses.ts'
import type { VoiceDevice } from '../contract.ts'
import css from './device.module.css'

const texts = {
  connecting: t('A Wavoip não respondeu ainda. Confira o token.'),
  closed: t('O dispositivo está desconectado. Gere o QR Code no painel da Wavoip, ou aguarde.'),
  linking: t('No telefone, abra o WhatsApp, toque em Aparelhos conectados e aponte a câmera para este código.'),
  open: t('O telefone está conectado: a linha faz e recebe ligações.'),
} as const

/** Dialog with the state of a device, and the code that connects its phone; read every five seconds. */
export function DeviceDialog({ device: { id, name }, onClose }: { device: VoiceDevice; onClose: () => void }) {
  const { data, error } = useQuery({
    queryKey: ['voiceDevices', 'state', id],
    queryFn: () => call(voiceDevices.state, { params: { id } }, { quiet: true }),
    gcTime: 0,
    retry: false,
    refetchInterval: ({ state }) => (state.data?.state === 'open' ? false : 5000),
  })
  return (
    <Modal opened onClose={onClose} size={440} title={t('Telefone de “{name}”', { name })}>
      <div className={css.stage} role="status">
        {!data && !error && <p>{t('Perguntando à Wavoip')}</p>}
        {error && <p>{sentence(error)}</p>}
        {data?.state === 'open' && <PositiveIcon size={44} className={css.good} />}
        {data?.qrcode && <QrCode text={data.qrcode} label={t('QR Code para ler com o telefone')} />}
        {data && <p>{texts[data.state]}</p>}
      </div>
    </Modal>
  )
}

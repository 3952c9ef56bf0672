import { attackWith } from './hostile-attack.ts'
import { attachments, type Hostile, imports, mails } from './hostile-files.ts'

/** A few of the files; the wide round has them all. */
const some = (files: readonly Hostile[], ...names: string[]) => files.filter(({ name }) => names.includes(name))

attackWith({
  attachments: some(attachments, 'largo.png', 'fundo.mp4'),
  imports: some(imports, 'longe.xlsx', 'linha.vcf'),
  mails: some(mails, 'winmail.eml'),
})

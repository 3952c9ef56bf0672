import { attackWith } from './hostile-attack.ts'
import { attachments, imports, mails } from './hostile-files.ts'

attackWith({ attachments, imports, mails })

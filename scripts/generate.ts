import { writeFileSync } from 'node:fs'
import { generatedFiles, pathOf } from './generated.ts'

for (const { name, content } of generatedFiles()) writeFileSync(pathOf(name), content)

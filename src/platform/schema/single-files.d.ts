// Single files of the libraries. Their entry points would load 350 more, including all telephone numbering
// plans, at every start of the service or a command (docs/decisions/0009-library-internals.md).
declare module 'class-validator/cjs/decorator/common/ValidateBy.js' {
  export { ValidateBy } from 'class-validator';
}
declare module 'class-validator/cjs/decorator/common/ValidateIf.js' {
  export { ValidateIf } from 'class-validator';
}
declare module 'class-validator/cjs/decorator/common/ValidateNested.js' {
  export { ValidateNested } from 'class-validator';
}
declare module 'class-validator/cjs/metadata/MetadataStorage.js' {
  export { getMetadataStorage } from 'class-validator';
}
declare module 'class-transformer/cjs/decorators/type.decorator.js' {
  export { Type } from 'class-transformer';
}

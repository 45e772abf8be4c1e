// Files of the libraries by themselves: their entry points read 350 more, with the telephone numbering plans of the world, at every
// start of the service and of a command (docs/decisions/0009-library-internals.md).
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

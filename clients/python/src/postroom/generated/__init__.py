# Made from the OpenAPI document of Postroom 0.4.0 by `npm run clients`: do not edit.
